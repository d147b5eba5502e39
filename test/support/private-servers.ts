import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { until } from './app.ts'
import { freePort } from './processes.ts'

/** A server that nobody else uses: it may be stopped. It ends with the tests of the file. */
export type PrivateServer = {
  readonly url: string
  start(): Promise<void>
  /** Stops it as a loss of power would. */
  stop(): Promise<void>
  /** Lets it answer nobody while its connections stay. */
  freeze(): void
  thaw(): void
}

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

/** Where the programs of PostgreSQL are; null where it is not installed. */
export function postgresPrograms(): string | null {
  const versions = '/usr/lib/postgresql'
  if (!fs.existsSync(versions)) return null
  const newest = fs
    .readdirSync(versions)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(versions, version, 'bin'))
  return newest.find((bin) => fs.existsSync(path.join(bin, 'initdb'))) ?? null
}

/** Starts a PostgreSQL of its own with an empty database. It refuses root, and runs as `postgres` then. */
export async function privatePostgres(bin: string): Promise<PrivateServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-postgres-'))
  const data = path.join(folder, 'data')
  if (isRoot) await run('chown', ['postgres', folder])
  function as(program: string, args: readonly string[]): [string, string[]] {
    const own = path.join(bin, program)
    return isRoot ? ['runuser', ['-u', 'postgres', '--', own, ...args]] : [own, [...args]]
  }
  const making = ['-D', data, '-U', 'root', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  await run(...as('initdb', [...making, '--no-sync']))
  const port = await freePort()
  const url = `postgres://root@127.0.0.1:${port}/moorage`
  const settings = [`-p ${port}`, '-c listen_addresses=127.0.0.1', `-k ${folder}`]
  // What the machine's disk could still lose is not what these tests are about.
  const start = ['-w', '-l', path.join(folder, 'log'), '-o', [...settings, '-F'].join(' '), 'start']
  const server: PrivateServer = {
    url,
    async start() {
      await run(...as('pg_ctl', ['-D', data, ...start]))
    },
    async stop() {
      await run(...as('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']))
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  }
  /** The first process of the server, and one for each connection. */
  function signalAll(signal: NodeJS.Signals): void {
    const [first] = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(first)
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    for (const it of [pid, ...children.filter(Boolean).map(Number)]) process.kill(it, signal)
  }
  after(async () => {
    await server.stop().catch(() => {})
    fs.rmSync(folder, { recursive: true, force: true })
  })
  await server.start()
  await onServer(url.replace(/moorage$/, 'postgres'), 'create database moorage')
  return server
}

/** Runs one statement on a server, over a connection of its own. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The program that is Redis here; null where none is installed. */
export function redisProgram(): string | null {
  const names = ['redis-server', 'valkey-server']
  const places = (process.env.PATH ?? '').split(':')
  const candidates = places.flatMap((place) => names.map((name) => path.join(place, name)))
  return candidates.find((it) => fs.existsSync(it)) ?? null
}

/** Starts a Redis of its own that keeps nothing on the disk: whoever stops it empties it. */
export async function privateRedis(program: string): Promise<PrivateServer> {
  const port = String(await freePort())
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-redis-'))
  let child: ChildProcess | null = null
  const kill = (signal: NodeJS.Signals) => void child?.kill(signal)
  const server: PrivateServer = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const own = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      child = spawn(program, [...own, '--dir', folder], { stdio: ['ignore', 'pipe', 'ignore'] })
      let printed = ''
      child.stdout?.on('data', (text) => {
        printed += text
      })
      await until('Redis is there', () => /Ready to accept connections/.test(printed))
    },
    async stop() {
      const ended = child && once(child, 'exit')
      kill('SIGKILL')
      await ended
      child = null
    },
    freeze: () => kill('SIGSTOP'),
    thaw: () => kill('SIGCONT'),
  }
  after(async () => {
    await server.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  await server.start()
  return server
}
