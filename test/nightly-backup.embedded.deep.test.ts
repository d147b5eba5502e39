import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { backUp } from '#test/backup.ts'
import { clientFor } from '#test/client.ts'
import { startProcess } from '#test/processes.ts'

/** The script of the backup service of Compose, on an embedded database. */
const isRoot = process.getuid?.() === 0
const ROOT = path.join(import.meta.dirname, '..')
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-nightly-'))
const [data, backups, restored] = ['data', 'backups', 'restored'].map((it) => path.join(place, it))
fs.mkdirSync(backups ?? '')
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

/** A folder like a backup, with checksums of two files, of which only some are there. */
function putBackup(name: string, { files = ['database.dump', 'files.tar'] } = {}) {
  const folder = `${backups}/${name}`
  fs.mkdirSync(folder)
  for (const file of files) fs.writeFileSync(`${folder}/${file}`, 'x')
  const sums = ['database.dump', 'files.tar'].map((file) => `${'0'.repeat(64)}  ${file}\n`)
  fs.writeFileSync(`${folder}/SHA256SUMS`, sums.join(''))
}

/** What is in the folder of the backups, but the lock; temporary files too. */
function left(): string[] {
  const names = fs.readdirSync(backups ?? '').filter((it) => it !== '.lock')
  return names.sort()
}

function nightly(env: Record<string, string> = {}, args = ['once']) {
  const { PATH = '', HOME = '' } = process.env
  const { status, stdout, stderr } = spawnSync('ops/nightly-backup.sh', args, {
    ...{ cwd: ROOT, encoding: 'utf8' },
    env: {
      ...{ PATH, HOME, MOORAGE_DATA_DIR: data ?? '', BACKUP_FOLDER: backups ?? '' },
      ...{ BACKUPS_KEPT: '2', ...env },
    },
  })
  return { status, said: stdout + stderr }
}

test('a nightly backup is verified, the oldest ones are removed, and the newest can be restored', async () => {
  const service = await serve(data ?? '')
  await keepSecret(/http:\S+/.exec(service.ready)?.[0] ?? '')
  await service.kill()
  for (const day of ['01', '02', '03']) putBackup(`2020-01-${day}T030000Z`)
  const broken = ['2020-01-04T030000Z', '2020-01-05T030000Z']
  putBackup(broken[0] ?? '', { files: [] })
  for (const name of [broken[1], 'notes']) fs.mkdirSync(`${backups}/${name}`)
  // An interrupted run left this.
  fs.mkdirSync(`${backups}/.new/2020-01-06T030000Z.part`, { recursive: true })
  const { status, said } = nightly()
  assert.equal(status, 0, said)
  assert.match(said, /The backup was restored, and is in order/)
  const [oldest, first, second, made = '', ...others] = left()
  assert.deepEqual([oldest, first, second], ['2020-01-03T030000Z', ...broken])
  assert.deepEqual(others, ['notes'])
  assert.match(said, new RegExp(`^Made ${backups}/${made} `, 'm'))

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
  putBackup('2020-01-07T030000Z.failed')
  const before = left().filter((it) => !it.endsWith('.failed'))
  const { status, said } = nightly({
    ...{ BACKUPS_KEPT: '1' },
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  })
  assert.equal(status, 1, said)
  assert.match(said, /cannot be used/)
  const [failed = '', ...more] = left().filter((it) => !before.includes(it))
  assert.match(failed, /^20[2-9]\d-.*Z\.failed$/)
  assert.deepEqual(more, [], 'only the newest one that failed is kept, and nothing temporary')
  assert.ok(before.every((it) => left().includes(it)))
})

test('the backup that was just made stays, whatever the clock said before, in a relative folder too', () => {
  for (const year of ['2091', '2092']) putBackup(`${year}-01-01T030000Z`)
  const before = left()
  const folder = path.relative(ROOT, backups ?? '')
  const { status, said } = nightly({ BACKUPS_KEPT: '1', BACKUP_FOLDER: folder })
  assert.equal(status, 0, said)
  const made = left().filter((it) => !before.includes(it))
  assert.equal(made.length, 1, said)
  assert.deepEqual(
    left().filter((it) => it.startsWith('209')),
    [],
  )
})

test('a run is refused while another one goes on', async () => {
  const holding = spawn('flock', [`${backups}/.lock`, 'sh', '-c', 'echo held; exec cat'])
  await once(holding.stdout, 'data')
  const before = left()
  const { status, said } = nightly()
  holding.stdin.end()
  await once(holding, 'exit')
  assert.deepEqual([status, left()], [1, before])
  assert.match(said, /^Another backup into \S+ is being made\.$/m)
})

test('a backup that finds no room leaves nothing behind, and no other is removed', {
  skip: !isRoot && 'A file system of its own cannot be mounted here',
}, () => {
  const small = `${place}/small`
  fs.mkdirSync(small)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'moorage-test', small])
  if (mounted.status !== 0) return
  try {
    fs.mkdirSync(`${small}/2020-01-01T030000Z`)
    const { status, said } = nightly({ BACKUP_FOLDER: small, BACKUPS_KEPT: '1' })
    assert.notEqual(status, 0)
    assert.match(said, /No space left/)
    assert.deepEqual(fs.readdirSync(small).sort(), ['.lock', '2020-01-01T030000Z'])
  } finally {
    spawnSync('umount', ['--lazy', small])
  }
})

test('a folder that is missing is named at the start, not at night', () => {
  const { status, said } = nightly({ BACKUP_FOLDER: `${place}/none` })
  assert.equal(status, 1)
  assert.match(said, /^BACKUP_FOLDER: \S+none is not a folder that this user may write to\.$/m)
})

test('the service tries again the next night after a backup that failed', () => {
  const bin = `${place}/bin`
  fs.mkdirSync(bin)
  // Nights pass at once; the third one does not come.
  const sleep = `#!/bin/sh\necho slept >> ${bin}/nights\ntest "$(wc -l < ${bin}/nights)" -lt 3\n`
  fs.writeFileSync(`${bin}/sleep`, sleep, { mode: 0o755 })
  const { said } = nightly(
    { PATH: `${bin}:${process.env.PATH}`, MOORAGE_DATA_DIR: `${place}/none` },
    [],
  )
  assert.equal(said.match(/^There is no database in \S+none\.$/gm)?.length, 2, said)
  assert.equal(said.match(/^The backup of [\d-]+ failed\.$/gm)?.length, 2, said)
})

test('a misspelt variable is named, not ignored', () => {
  const { status, said } = nightly({ BACKUP_KEPT: '30' })
  assert.equal(status, 1)
  assert.match(said, /^BACKUP_KEPT: there is no such variable, but .*BACKUPS_KEPT/)
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
