import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { lockFolder } from '#platform/database/folder-lock.ts'
import { makeDataPrivate } from '#platform/private-files.ts'
import { folderFaults, lockFaults } from './doctor.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-data-'))
after(() => fs.rmSync(dataDir, { recursive: true }))

test('doctor lists files of the data folder that other users can read or write, with the command that fixes it', () => {
  const database = path.join(dataDir, 'database')
  const key = path.join(dataDir, 'secret.key')
  fs.mkdirSync(database, { mode: 0o700 })
  fs.writeFileSync(key, 'key', { mode: 0o600 })
  assert.deepEqual([...folderFaults({ dataDir })], [])
  const breaks: [string, number, RegExp][] = [
    [key, 0o644, /may read \S+secret\.key \(mode 644\)/],
    [key, 0o622, /may write \S+secret\.key \(mode 622\)/],
    [database, 0o777, /may write \S+database \(mode 777\)/],
    [dataDir, 0o777, /may write /],
  ]
  for (const [place, mode, said] of breaks) {
    const { mode: before } = fs.statSync(place)
    fs.chmodSync(place, mode)
    const [found = ''] = [...folderFaults({ dataDir })]
    fs.chmodSync(place, before)
    assert.match(found, said)
    assert.match(found, /chmod go= /)
  }
  assert.deepEqual([...folderFaults({ dataDir })], [])
})

test('doctor finds a database folder that two processes have open, and names both', async () => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-twice-'))
  const lock = lockFolder(path.join(place, 'database'))
  async function faults(): Promise<string[]> {
    const found = []
    for await (const it of lockFaults({ dataDir: place, databaseUrl: null })) found.push(it)
    return found
  }
  try {
    assert.deepEqual(await faults(), [])
    // Another machine, to which the lock does not reach, has opened the folder since.
    const file = path.join(place, 'database.holder.json')
    const own = JSON.parse(fs.readFileSync(file, 'utf8'))
    fs.writeFileSync(file, JSON.stringify({ ...own, pid: 4711, hostName: 'other' }))
    const [found = '', ...more] = await faults()
    assert.deepEqual(more, [])
    assert.match(found, /is open twice: process 4711 on other /)
    assert.ok(found.includes(`beside process ${process.pid} on `))
  } finally {
    lock.release()
    fs.rmSync(place, { recursive: true })
  }
})

test('after a start, only the owner can access the data folder and its files, whatever their permissions were', () => {
  const files = ['database/base/1', 'database.lock', 'files/a.pdf', 'secret.key']
  fs.chmodSync(dataDir, 0o755)
  for (const name of files) {
    const file = path.join(dataDir, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, '')
    fs.chmodSync(file, 0o666)
    if (name.includes('/')) fs.chmodSync(path.dirname(file), 0o777)
  }
  makeDataPrivate(dataDir)
  for (const name of files) {
    const file = path.join(dataDir, name)
    assert.equal(fs.statSync(file).mode & 0o777, 0o600, name)
    assert.equal(fs.statSync(path.dirname(file)).mode & 0o077, 0, name)
  }
  // Beside something of another program only what is Moorage's own is closed.
  const other = path.join(dataDir, 'notes.txt')
  fs.writeFileSync(other, '')
  fs.chmodSync(other, 0o644)
  fs.chmodSync(dataDir, 0o755)
  makeDataPrivate(dataDir)
  assert.deepEqual(
    [other, dataDir].map((place) => fs.statSync(place).mode & 0o777),
    [0o644, 0o755],
  )
})
