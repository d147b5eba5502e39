import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { backUp } from '#test/backup.ts'
import { clientFor } from '#test/client.ts'
import { startProcess } from '#test/processes.ts'

/** The script of the backup service of Compose, on an embedded database. */
const ROOT = path.join(import.meta.dirname, '..')
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-nightly-'))
const [data, backups, restored] = ['data', 'backups', 'restored'].map((it) => path.join(place, it))
after(() => fs.rmSync(place, { recursive: true }))
const ADMIN = { email: 'admin@example.com', password: 'a long enough password' }

async function serve(dataDir: string) {
  return startProcess({
    ...{ script: 'src/main.js', args: ['serve'], ready: /listens on/ },
    env: {
      ...{ PORT: '0', MOORAGE_DATA_DIR: dataDir, LOG_LEVEL: 'error' },
      ...{ MOORAGE_ADMIN_EMAIL: ADMIN.email, MOORAGE_ADMIN_PASSWORD: ADMIN.password },
    },
  })
}

/** Has the service encrypt something: only then another key is a wrong one. */
async function keepSecret(url: string): Promise<void> {
  const { body } = await clientFor(url).post('/v1/auth/login', ADMIN)
  const me = clientFor(url, { authorization: `Bearer ${body.accessToken}` })
  const begun = await me.post('/v1/users/me/totp', { currentPassword: ADMIN.password })
  assert.ok(begun.status < 300, begun.text)
}

function nightly(env: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env
  const { status, stdout, stderr } = spawnSync('ops/nightly-backup.sh', ['once'], {
    ...{ cwd: ROOT, encoding: 'utf8' },
    env: {
      ...{ PATH, HOME, MOORAGE_DATA_DIR: data ?? '', BACKUP_FOLDER: backups ?? '' },
      ...{ BACKUPS_KEPT: '2', ...env },
    },
  })
  return { status, said: stdout + stderr }
}

test('a nightly backup is verified, the oldest ones are removed, and the newest can be restored', async () => {
  fs.mkdirSync(backups ?? '')
  const service = await serve(data ?? '')
  await keepSecret(/http:\S+/.exec(service.ready)?.[0] ?? '')
  await service.kill()
  const old = ['2020-01-01T030000Z', '2020-01-02T030000Z', '2020-01-03T030000Z']
  for (const name of [...old, 'notes']) fs.mkdirSync(`${backups}/${name}`)
  const { status, said } = nightly()
  assert.equal(status, 0, said)
  assert.match(said, /The backup was restored, and is in order/)
  const left = fs.readdirSync(backups ?? '').sort()
  const [oldest = '', made = '', other] = left
  assert.deepEqual([oldest, other, left.length], ['2020-01-03T030000Z', 'notes', 3])

  fs.mkdirSync(restored ?? '')
  fs.copyFileSync(`${data}/secret.key`, `${restored}/secret.key`)
  const put = await backUp(['restore', `${backups}/${made}`], { MOORAGE_DATA_DIR: restored ?? '' })
  assert.equal(put.code, 0, put.said)
  const again = await serve(restored ?? '')
  const url = /http:\S+/.exec(again.ready)?.[0] ?? ''
  const answer = await clientFor(url).post('/v1/auth/login', ADMIN)
  await again.kill()
  assert.equal(answer.status, 200)
})

test('an unusable backup is kept apart, no other backup is removed, and the script fails', () => {
  const before = fs.readdirSync(backups ?? '')
  const { status, said } = nightly({
    ...{ BACKUPS_KEPT: '1' },
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  })
  assert.equal(status, 1, said)
  assert.match(said, /cannot be used/)
  const now = fs.readdirSync(backups ?? '')
  assert.ok(before.every((it) => now.includes(it)))
  assert.equal(now.filter((it) => it.endsWith('.failed')).length, 1)
})

for (const [name, value] of [
  ['BACKUPS_KEPT', '0'],
  ['BACKUP_HOUR', '24'],
] as const) {
  test(`${name} of ${value} is refused in one sentence`, () => {
    const { status, said } = nightly({ [name]: value })
    assert.equal(status, 1)
    assert.match(said, new RegExp(`^${name}: "${value}" is not`))
  })
}
