import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makeDataPrivate } from '#platform/private-files.ts'
import { folderFaults } from './doctor.ts'

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
