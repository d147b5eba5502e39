import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'

/** Where the program stands. */
export const root = path.join(import.meta.dirname, '..')

export const serverUrl = process.env.DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test'

/** Does something with a database of its own on the server, which is dropped afterwards. */
export async function onOwnDatabase<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const name = `moorage_bench_${randomBytes(6).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await withClient(serverUrl, (client) => client.query(`create database ${name}`))
  try {
    return await work(url.href)
  } finally {
    await withClient(serverUrl, (client) => client.query(`drop database ${name} with (force)`))
  }
}

/** As the owner: the application's role may not do everything that a measurement needs. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The settings of a service that is measured. */
export function settingsFor(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    MOORAGE_SECRET_KEY: randomBytes(32).toString('base64'),
    MOORAGE_ROLE: 'api',
    PORT: '0',
    PUBLIC_URL: 'https://shop.example.org',
    // The limiter counts as always; it is not what is measured when it refuses.
    RATE_LIMIT_GENERAL: '1000000',
    RATE_LIMIT_PERSON: '1000000',
  }
}

/** A process that answers requests. */
export type Running = { readonly url: string; readonly pid: number; end(): Promise<void> }

const LISTENING = /listens on (\S+)/

/** Starts a server in a process of its own. `--profile` writes its CPU profile into bench/results. */
export function started(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Running> {
  const child = spawn(process.execPath, [...profiled(file), path.join(root, file), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const url = LISTENING.exec(text)?.[1]
      if (url) resolve({ url, pid: child.pid ?? 0, end: () => ended(child) })
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
  })
}

function profiled(file: string): string[] {
  if (!process.argv.includes('--profile')) return []
  const name = `${path.parse(file).name}.cpuprofile.tmp`
  return ['--cpu-prof', '--cpu-prof-dir=bench/results', `--cpu-prof-name=${name}`]
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await end
}

export const CONNECTIONS = 32

/**
 * What a server does under load. `processorMicros` is what its process spends on a request: what else the
 * machine does changes it little. Null where the system does not say.
 */
export type Load = {
  readonly perSecond: number
  readonly p99Ms: number
  readonly processorMicros: number | null
}

type Target = {
  url: string
  pid: number
  headers?: Readonly<Record<string, string>>
  method?: 'GET' | 'POST'
  /** How its requests are made, where they are not all the same, and what hears of the answers. */
  requests?: autocannon.Requests
}

/** Asks for some seconds over 32 connections. Throws when anything but 2xx was answered. */
export async function load(target: Target, seconds: number): Promise<Load> {
  const { url, pid, headers = {}, method = 'GET', requests: made } = target
  const before = processorMs(pid)
  const result = await autocannon({
    ...{ url, method, headers },
    ...(made && { requests: [made] }),
    connections: CONNECTIONS,
    duration: seconds,
  })
  const { requests, latency, errors, timeouts, non2xx, duration } = result
  assert.equal(errors + timeouts + non2xx, 0, `${target.url} failed under load`)
  const after = processorMs(pid)
  const spent = before === null || after === null ? null : after - before
  return {
    perSecond: requests.total / duration,
    p99Ms: latency.p99,
    processorMicros: spent === null ? null : (spent * 1000) / requests.total,
  }
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10

/** The processor time of a process so far; null where `/proc` does not tell it. */
export function processorMs(pid: number): number | null {
  try {
    const [, rest = ''] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = rest.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return null
  }
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}
