import assert from 'node:assert/strict'
import http from 'node:http'
import { test } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { testApp, until } from '#test/app.ts'
import {
  assertReport,
  endedImport,
  formWith,
  type Report,
  uploadDump,
  whmcsDump,
} from '#test/dumps.ts'
import { otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const dump = whmcsDump({ clients: 3, schema: 8, mess: true, seed: 'routes' })

/** Uploads a dump for a dry run, and waits for its end. */
async function tried(content: Buffer) {
  const { status, body, text } = await uploadDump(admin, content, { dryRun: 'true' })
  assert.equal(status, 202, text)
  return endedImport(app, admin, body.id)
}

test('a dump that is uploaded ends in a report, and the rows left out are a list', async () => {
  const ended = await tried(dump.content)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.fault))
  assertReport(ended.report as Report, dump.expected)
  assert.equal(ended.startedBy, admin.userId)
  assert.equal(ended.file.bytes, dump.content.length)
  const { rows = 0 } = ended.progress
  assert.equal(ended.progress.rowsTotal, rows)
  const { headers, text } = await admin.get(`/v1/admin/imports/${ended.id}/rows`)
  assert.match(headers['content-type'] ?? '', /^text\/csv/)
  const resources = Object.entries(ended.report.resources as Report['resources'])
  const left = resources
    .filter(([name]) => name !== 'creditBalances')
    .reduce((sum, [, it]) => sum + Number(it.skipped) + Number(it.merged) + Number(it.failed), 0)
  const lines = text.trim().split('\r\n').slice(1)
  assert.equal(lines.filter((line) => !line.startsWith('warning')).length, left)
})

test('the same file again is the same import (hardening 53)', async () => {
  const first = await uploadDump(admin, dump.content, { dryRun: 'true' })
  const again = await uploadDump(admin, dump.content, { dryRun: 'true' })
  assert.equal(again.body.id, first.body.id)
})

test('the file and the rows on their way are gone when an import has ended', async () => {
  const { id } = await tried(dump.content)
  const { tenantId } = app
  const db = app.deps.database.of(tenantId)
  const staged = await db.selectFrom('imports.staged_clients').select('sourceId').execute()
  assert.deepEqual(staged, [])
  await app.eventually('the file to go', async () => {
    return !(await app.deps.files.exists(`${tenantId}/imports/${id}`))
  })
  const uploads = await db.selectFrom('imports.uploads').select('id').execute()
  assert.deepEqual(uploads, [])
})

test('a form that is none, or has no file, an address or another unknown field, is refused (hardening 5, 29)', async () => {
  const url = '/v1/admin/imports'
  assert.equal((await admin.post(url, {})).status, 415)
  const { raw, headers } = formWith(dump.content)
  const cut = raw.subarray(0, raw.length - 30)
  assert.equal((await admin.post(url, undefined, { raw: cut, headers })).status, 400)
  const boundary = { 'content-type': 'multipart/form-data' }
  assert.equal((await admin.post(url, undefined, { raw, headers: boundary })).status, 400)
  const dumps = 'http://169.254.169.254/dump.sql'
  const wrong = [{ source: 'other' }, { source: dumps }, { url: dumps }, { file: dumps }]
  for (const fields of [...wrong, { dryRun: 'perhaps' }, { tenantId: 'x' }]) {
    assert.equal((await uploadDump(admin, dump.content, fields)).status, 400)
  }
  const db = app.deps.database.of(app.tenantId)
  assert.deepEqual(await db.selectFrom('imports.uploads').select('id').execute(), [])
})

for (const [sent, kept] of [
  ['a\0b.sql', 'ab.sql'],
  ['a";b.sql', 'a'],
  ['../../etc/passwd', 'passwd'],
  ['=1+1\x1b[2J.sql', '=1+1[2J.sql'],
  [`${'x'.repeat(254)}\u{1f3ae}.sql`, `${'x'.repeat(254)}\ufffd`],
  ['\0', 'dump.sql'],
] as const) {
  test(`a file named ${JSON.stringify(sent).slice(0, 30)} is called ${kept.slice(0, 20)} (hardening 26, 32)`, async () => {
    const form = formWith(Buffer.from(`-- ${sent}`), { dryRun: 'true' }, sent)
    const { status, body, text } = await admin.post('/v1/admin/imports', undefined, form)
    assert.deepEqual([status, body.file?.name], [202, kept], text)
    await endedImport(app, admin, body.id)
  })
}

test('an upload that breaks off leaves nothing behind', async () => {
  const { raw, headers } = formWith(dump.content, { dryRun: 'true' })
  const { hostname, port } = new URL(app.url)
  const cut = http.request({
    ...{ hostname, port, method: 'POST', path: '/v1/admin/imports' },
    headers: { ...headers, 'content-length': raw.length, authorization: `Bearer ${admin.token}` },
  })
  cut.on('error', () => {})
  cut.write(raw.subarray(0, raw.length / 2))
  const db = app.deps.database.of(app.tenantId)
  const uploads = () => db.selectFrom('imports.uploads').select('fileKey').executeTakeFirst()
  const upload = await until('the upload to begin', uploads)
  cut.destroy()
  await until('the upload to be forgotten', async () => !(await uploads()))
  assert.equal(await app.deps.files.exists(upload.fileKey), false)
})

test('a dump that is uploaded for real is imported, and sent again it is the same import', async (t) => {
  const shop = await testApp(t)
  const owner = await person(shop, { admin: true })
  const { content } = whmcsDump({ clients: 2, seed: 'real' })
  const { status, body } = await uploadDump(owner, content)
  assert.equal(status, 202)
  const ended = await endedImport(shop, owner, body.id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.fault))
  assert.equal(ended.dryRun, false)
  const people = await owner.get('/v1/admin/users?limit=50')
  assert.ok(people.body.data.length > 2)
  assert.equal((await uploadDump(owner, content)).body.id, body.id)
})

test('a file that is larger than the setting allows is refused with 413 (hardening 53)', async () => {
  const settings = await admin.patch('/v1/admin/settings', { imports: { maxUploadBytes: 2 ** 20 } })
  assert.equal(settings.status, 200, settings.text)
  assert.equal((await uploadDump(admin, Buffer.alloc(2 ** 20 + 1, 'x'))).status, 413)
  await admin.patch('/v1/admin/settings', { imports: { maxUploadBytes: 4 * 2 ** 30 } })
})

test('nobody else sees an import, and only those who may begin one', async () => {
  const { id } = await tried(dump.content)
  const clerk = await person(app, { permissions: ['imports:read'] })
  assert.equal((await clerk.get(`/v1/admin/imports/${id}`)).status, 200)
  assert.equal((await uploadDump(clerk, dump.content, { dryRun: 'true' })).status, 403)
  const tenantId = await otherTenant(app, 'other.test')
  const stranger = await person(app, { tenantId, admin: true })
  assert.equal((await stranger.get(`/v1/admin/imports/${id}`)).status, 404)
  assert.equal((await stranger.get(`/v1/admin/imports/${id}/rows`)).status, 404)
})

/** A ZIP archive with one file, as simple as they come. */
function zipped(name: string, content: Buffer): Buffer {
  const packed = deflateRawSync(content)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(packed.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name), packed, Buffer.from('PK\x01\x02 the rest')])
}

for (const [what, pack] of [
  ['gzip', (it: Buffer) => gzipSync(it)],
  ['zip', (it: Buffer) => zipped('backup/whmcs.sql', it)],
] as const) {
  test(`a dump packed with ${what} is read`, async () => {
    const { status, report } = await tried(pack(dump.content))
    assert.equal(status, 'completed')
    assertReport(report, dump.expected)
  })
}

const text = dump.content
const repeated = Buffer.alloc(20 * 2 ** 20, "INSERT INTO t VALUES ('x');\n")
const bomb = gzipSync(repeated)
const hostile: [string, string, () => Buffer][] = [
  ['that breaks off', 'truncated', () => text.subarray(0, text.length / 2)],
  ['of bytes that are nothing', 'not_a_dump', () => Buffer.alloc(50_000, 'q\x00\xff')],
  ['of another system', 'unknown_system', () => Buffer.from('CREATE TABLE t (id int);')],
  ['that grows beyond measure', 'compression_bomb', () => bomb],
  ['that does in an archive', 'compression_bomb', () => zipped('a.sql', repeated)],
  ['with a path out of the archive', 'archive_path_outside', () => zipped('../a.sql', text)],
  ['in an archive without one', 'no_sql_file_in_archive', () => zipped('a.txt', text)],
  ['in an archive that breaks off', 'archive_truncated', () => gzipSync(text).subarray(0, 5000)],
  [
    'in a charset whose quotes are not its own',
    'unsupported_charset',
    () => Buffer.concat([Buffer.from('SET NAMES gbk;\n'), text]),
  ],
  [
    'in which a backslash means nothing',
    'unsupported_sql_mode',
    () => Buffer.concat([Buffer.from("SET SQL_MODE='NO_BACKSLASH_ESCAPES';\n"), text]),
  ],
  ['packed in another way', 'unsupported_compression_zstd', () => Buffer.from('28b52ffd00', 'hex')],
]

for (const [what, code, content] of hostile) {
  test(`a dump ${what} is turned down as ${code}, and the service goes on (hardening 53)`, async () => {
    const { status, fault, report } = await tried(content())
    assert.deepEqual([status, fault?.code, report], ['rejected', code, null])
    assert.ok(fault.message.length > 20)
    assert.equal((await app.get('/v1/meta')).status, 200)
  })
}

test('what a dump would do is not done, and what it would read fails its row (hardening 53)', async () => {
  const evil = `DROP DATABASE moorage; DROP TABLE users.users;
SELECT 1 INTO OUTFILE '/tmp/x'; LOAD DATA INFILE '/etc/passwd' INTO TABLE tblclients;
INSERT INTO tblcredit (id, clientid, amount) VALUES (9001, 1, LOAD_FILE('/etc/passwd'));
INSERT INTO tblcredit (id, clientid, amount) VALUES (9002, 1, 'a lot'), (9003, 1);\n`
  const { status, report, id } = await tried(Buffer.concat([text, Buffer.from(evil)]))
  assert.equal(status, 'completed_with_failures')
  const { failed, reasons } = report.resources.creditLedger
  assert.equal(failed, 3)
  const codes = reasons.filter((it: { outcome: string }) => it.outcome === 'failed')
  assert.deepEqual(codes.map(({ code }: { code: string }) => code).sort(), [
    'expression',
    'invalid_amount',
    'wrong_value_count',
  ])
  const rows = (await admin.get(`/v1/admin/imports/${id}/rows`)).text
  assert.match(rows, /failed,invalid_amount,tblcredit,9002,"line \d+, byte \d+: amount"/)
})

test('one import runs at a time, and one that is canceled leaves nothing', async () => {
  const large = whmcsDump({ clients: 60, seed: 'cancel' })
  const { body } = await uploadDump(admin, large.content, { dryRun: 'true' })
  const url = `/v1/admin/imports/${body.id}`
  const second = await uploadDump(admin, Buffer.from('other'), { dryRun: 'true' })
  const canceled = await admin.post(`${url}/cancel`)
  const ended = await endedImport(app, admin, body.id)
  // It may have been faster than we are: then there was nothing to cancel.
  if (canceled.status === 200) assert.equal(ended.status, 'canceled')
  else assert.equal(canceled.status, 409)
  if (second.status === 409) assert.equal(second.body.code, 'import_running')
  assert.equal((await admin.post(`${url}/cancel`)).status, 409)
  const db = app.deps.database.of(app.tenantId)
  const staged = await db.selectFrom('imports.staged_invoices').select('sourceId').execute()
  assert.deepEqual(staged, [])
})
