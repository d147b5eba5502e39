import assert from 'node:assert/strict'
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'

/** The embedded folder between two users of a system, two pid namespaces, and a folder and its copy. */
const MAIN = path.join(import.meta.dirname, '../src/main.js')
const NOBODY = { uid: 65_534, gid: 65_534 }
const isRoot = process.platform === 'linux' && process.geteuid?.() === 0
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-users-'))
fs.chmodSync(place, 0o755)
after(() => fs.rmSync(place, { recursive: true }))

const running = new Set<ChildProcess>()
afterEach(() => Promise.all([...running].map(killed)))

/** Why the tests of two users do not run here. */
const noUsers = (): string | false => {
  if (!isRoot) return 'only root may become another user'
  const args = ['-e', `fs.readFileSync(${JSON.stringify(MAIN)})`]
  const { status } = spawnSync(process.execPath, args, NOBODY)
  return status === 0 ? false : 'another user may not read this checkout'
}

const UNSHARE = ['--pid', '--fork', '--mount-proc', '--kill-child']
const noNamespaces = (): string | false => {
  if (!isRoot) return 'only root may make a pid namespace'
  return spawnSync('unshare', [...UNSHARE, 'true']).status === 0 ? false : 'no pid namespaces here'
}

type Where = SpawnOptions & { inNamespace?: boolean }

function started(dataDir: string, args: readonly string[], where: Where = {}) {
  const { inNamespace, ...options } = where
  const command = [process.execPath, MAIN, ...args]
  const [file = '', ...rest] = inNamespace ? ['unshare', ...UNSHARE, ...command] : command
  const env = { PATH: process.env.PATH, HOME: place, PORT: '0', LOG_LEVEL: 'error' }
  const child = spawn(file, rest, {
    ...{ cwd: place, ...options, env: { ...env, MOORAGE_DATA_DIR: dataDir } },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  return { child, said: () => said }
}

/** A service that is ready; its process ends with the test. */
async function serving(dataDir: string, where: Where = {}): Promise<ChildProcess> {
  const { child, said } = started(dataDir, ['serve'], where)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => /listens on/.test(said()) && resolve())
    child.once('close', () => reject(new Error(said())))
  })
  return child
}

/** A command to its end. */
async function ended(dataDir: string, args: readonly string[], where: Where = {}) {
  const { child, said } = started(dataDir, args, where)
  const [code] = await once(child, 'close')
  running.delete(child)
  return { code, said: said() }
}

async function killed(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

function folderOf(name: string, owner = process.geteuid?.() ?? 0): string {
  const home = path.join(place, name)
  fs.mkdirSync(home)
  fs.chownSync(home, owner, owner)
  return path.join(home, 'data')
}

/** What is in a folder with its owner and its rights, but what the running service itself adds and changes. */
function rightsIn(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries
    .filter((name) => !name.startsWith(`database${path.sep}`) && name !== 'control.sock')
    .map((name) => {
      const { uid, mode } = fs.lstatSync(path.join(folder, name))
      return `${name} ${uid} ${mode.toString(8)}`
    })
    .sort()
}

const ownersIn = (folder: string) =>
  new Set(
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => fs.lstatSync(path.join(folder, name)).uid),
  )

const refusedBy = (pid: number | undefined) =>
  new RegExp(`^Process ${pid} on [^\n]+ may\\. [^\n]+\n$`)

test('root is refused beside the service of another user, by its pid, and leaves that user every file', {
  skip: noUsers(),
}, async () => {
  const dataDir = folderOf('of-nobody', NOBODY.uid)
  const service = await serving(dataDir, NOBODY)
  for (const args of [['serve'], ['secret', 'rotate']]) {
    const { code, said } = await ended(dataDir, args)
    assert.equal(code, 1, said)
    assert.match(said, refusedBy(service.pid))
  }
  const { code, said } = await ended(dataDir, ['doctor'])
  assert.deepEqual([code, said], [0, 'Everything is in order.\n'])
  assert.deepEqual([...ownersIn(dataDir)], [NOBODY.uid])

  // Nobody has it open any more, and the files of root would stay.
  await killed(service)
  for (const args of [['serve'], ['doctor']]) {
    const alone = await ended(dataDir, args)
    assert.equal(alone.code, 1, alone.said)
    assert.match(
      alone.said,
      /^The database in \S+ belongs to user 65534, [^\n]+\(chown -R\)[^\n]+\n$/,
    )
  }
  assert.deepEqual([...ownersIn(dataDir)], [NOBODY.uid])
  await serving(dataDir, NOBODY)
})

test('another user is told whose the folder is, and changes nothing in it', {
  skip: noUsers(),
}, async () => {
  const dataDir = folderOf('of-root')
  await serving(dataDir)
  const before = rightsIn(dataDir)
  for (const args of [['serve'], ['secret', 'rotate'], ['doctor']]) {
    const { code, said } = await ended(dataDir, args, NOBODY)
    assert.equal(code, 1, said)
    assert.match(said, /^[^\n]+\n {2}MOORAGE_DATA_DIR: \S+ belongs to user 0, [^\n]+\n$/)
  }
  assert.deepEqual(rightsIn(dataDir), before)
})

test('a process of another pid namespace with the same pid is refused until the holder is gone, however it ends', {
  skip: noNamespaces(),
}, async () => {
  const dataDir = folderOf('namespaces')
  const holder = await serving(dataDir, { inNamespace: true })
  const second = await ended(dataDir, ['serve'], { inNamespace: true })
  assert.equal(second.code, 1, second.said)
  assert.match(second.said, refusedBy(1))
  const outside = await ended(dataDir, ['secret', 'rotate'])
  assert.equal(outside.code, 1, outside.said)
  assert.match(outside.said, refusedBy(1))

  await killed(holder)
  await serving(dataDir, { inNamespace: true })
})

test('a copy of the folder starts while the first runs, which keeps its own', async () => {
  const dataDir = folderOf('first')
  const first = await serving(dataDir)
  // Nothing is written meanwhile, so that the copy is whole.
  first.kill('SIGSTOP')
  const copy = `${dataDir}-copy`
  const copied = spawnSync('cp', ['-a', dataDir, copy])
  first.kill('SIGCONT')
  assert.equal(copied.status, 0, String(copied.stderr))
  const service = await serving(copy)
  for (const [folder, { pid }] of [
    [dataDir, first],
    [copy, service],
  ] as const) {
    const { code, said } = await ended(folder, ['secret', 'rotate'])
    assert.equal(code, 1, said)
    assert.match(said, refusedBy(pid))
  }
})
