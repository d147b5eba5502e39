import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const MOORAGE_DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-config-'))
const key = Buffer.alloc(32, 1).toString('base64')

test('without any variable the defaults hold, and a key is made once', () => {
  const config = readConfig({ MOORAGE_DATA_DIR })
  assert.equal(config.port, 3000)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.publicUrl, 'http://127.0.0.1:3000')
  assert.deepEqual(config.rateLimits, { general: 500, auth: 20 })
  const again = readConfig({ MOORAGE_DATA_DIR })
  assert.deepEqual(again.secretKeys, config.secretKeys)
  const { mode } = fs.statSync(path.join(MOORAGE_DATA_DIR, 'secret.key'))
  assert.equal(mode & 0o777, 0o600)
})

const refusals = [
  ['a port that is none', { PORT: '70000' }, /PORT/],
  ['a database that is no PostgreSQL', { DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [
    'a server database without a key',
    { DATABASE_URL: 'postgres://x' },
    /MOORAGE_SECRET_KEY: required/,
  ],
  ['a key that is too short', { MOORAGE_SECRET_KEY: 'c2hvcnQ=' }, /not 32 bytes/],
  ['an unknown role', { MOORAGE_ROLE: 'boss' }, /MOORAGE_ROLE/],
  ['a worker on the embedded database', { MOORAGE_ROLE: 'worker' }, /set DATABASE_URL/],
  ['an administrator without a password', { MOORAGE_ADMIN_EMAIL: 'a@b.c' }, /go together/],
  ['a source that cannot be opened', { MOORAGE_SOURCE_URL: 'git@host:x' }, /MOORAGE_SOURCE_URL/],
  ['a private host without a port', { MOORAGE_PRIVATE_HOSTS: 'panel.lan' }, /PRIVATE_HOSTS/],
  ['a folder for files that is none', { FILES_URL: 'https://x' }, /FILES_URL/],
  ['a folder on another machine', { FILES_URL: 'file://host/files' }, /FILES_URL/],
] as const

for (const [what, env, message] of refusals) {
  test(`${what} is refused by name`, () => {
    assert.throws(
      () => readConfig({ MOORAGE_DATA_DIR, ...env }),
      (error) => error instanceof ConfigError && message.test(error.message),
    )
  })
}

test('files are kept in the data folder, or where FILES_URL says', () => {
  const config = readConfig({ MOORAGE_DATA_DIR })
  assert.equal(config.filesDir, path.join(MOORAGE_DATA_DIR, 'files'))
  const shared = readConfig({ MOORAGE_DATA_DIR, FILES_URL: 'file:///srv/shared%20files' })
  assert.equal(shared.filesDir, '/srv/shared files')
})

test('every fault is named at once', () => {
  assert.throws(
    () => readConfig({ MOORAGE_DATA_DIR, PORT: 'x', LOG_LEVEL: 'loud' }),
    /PORT.*\n.*LOG_LEVEL/,
  )
})

test('earlier keys follow the current one', () => {
  const other = Buffer.alloc(32, 2).toString('base64')
  const config = readConfig({ MOORAGE_DATA_DIR, MOORAGE_SECRET_KEY: `${key},${other}` })
  assert.equal(config.secretKeys.length, 2)
})
