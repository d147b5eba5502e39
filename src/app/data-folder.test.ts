import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { folderFaults } from './doctor.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-data-'))
after(() => fs.rmSync(dataDir, { recursive: true }))

test('doctor: what other users may read or write of the data folder is named, with the command that closes it', () => {
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
