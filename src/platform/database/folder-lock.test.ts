import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { FolderInUse, holderOf, lockFolder } from './folder-lock.ts'

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-lock-'))
after(() => fs.rmSync(place, { recursive: true }))

/** A process of its own that takes the lock of a folder, and keeps it until it is killed. */
async function holding(folder: string) {
  const module = JSON.stringify(path.join(import.meta.dirname, 'folder-lock.ts'))
  const script = `const { lockFolder } = await import(${module})
    lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('the lock names its holder, is free after kill -9, and a copied folder has its own', async () => {
  const folder = path.join(place, 'one', 'database')
  const child = await holding(folder)
  const refusal = (error: unknown) =>
    error instanceof FolderInUse && error.message.startsWith(`Process ${child.pid} on `)
  assert.throws(() => lockFolder(folder), refusal)
  assert.equal(holderOf(folder)?.pid, child.pid)

  fs.mkdirSync(path.join(place, 'copy'))
  for (const name of fs.readdirSync(path.join(place, 'one'))) {
    fs.cpSync(path.join(place, 'one', name), path.join(place, 'copy', name))
  }
  lockFolder(path.join(place, 'copy', 'database')).release()
  assert.throws(() => lockFolder(folder), refusal)

  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(folder).release()
})

test('a link to the folder has the same lock, and one process cannot take it twice', () => {
  const folder = path.join(place, 'two', 'database')
  fs.mkdirSync(folder, { recursive: true })
  fs.symlinkSync(path.join(place, 'two'), path.join(place, 'link'))
  const lock = lockFolder(folder)
  assert.throws(() => lockFolder(path.join(place, 'link', 'database')), FolderInUse)
  assert.throws(() => lockFolder(folder), FolderInUse)
  lock.release()
  assert.equal(holderOf(folder), null)
  lockFolder(folder).release()
})

test('a process that runs keeps the folder although somebody deleted the lock file', {
  skip: process.platform !== 'linux',
}, async () => {
  const folder = path.join(place, 'three', 'database')
  const child = await holding(folder)
  fs.rmSync(`${folder}.lock`)
  assert.throws(() => lockFolder(folder), FolderInUse)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(folder).release()
})

test('a holder of an earlier boot, or of another one with the same pid, does not keep the folder', () => {
  const folder = path.join(place, 'four', 'database')
  lockFolder(folder).release()
  const holder = { pid: 1, hostName: 'old', command: 'serve', since: '2026-01-01T00:00:00.000Z' }
  for (const boot of [
    'another',
    fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
  ]) {
    const identity = { boot, namespace: fs.readlinkSync('/proc/self/ns/pid'), started: '-1' }
    fs.writeFileSync(`${folder}.holder.json`, JSON.stringify({ ...holder, process: identity }))
    lockFolder(folder).release()
  }
})
