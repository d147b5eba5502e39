import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'
import { addGeneratedKey } from './secret-file.ts'
import { SECRETS } from './variables.ts'

const MOORAGE_DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-config-'))
const key = Buffer.alloc(32, 1).toString('base64')

test('without any variable the defaults hold, and a key is made once (hardening 15)', () => {
  const config = readConfig({ MOORAGE_DATA_DIR })
  assert.equal(config.port, 3000)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.publicUrl, 'http://127.0.0.1:3000')
  assert.deepEqual(config.rateLimits, { general: 500, auth: 20, person: 2000 })
  const again = readConfig({ MOORAGE_DATA_DIR })
  assert.deepEqual(again.secretKeys, config.secretKeys)
  const { mode } = fs.statSync(path.join(MOORAGE_DATA_DIR, 'secret.key'))
  assert.equal(mode & 0o777, 0o600)
})

test('a key is put before those there are, so that what they sealed still opens', () => {
  const { secretKeys, dataDir } = readConfig({ MOORAGE_DATA_DIR })
  const file = addGeneratedKey({ dataDir })
  const keys = readConfig({ MOORAGE_DATA_DIR }).secretKeys
  assert.equal(keys.length, secretKeys.length + 1)
  assert.deepEqual(keys.slice(1), secretKeys)
  assert.equal(fs.statSync(file).mode & 0o777, 0o600)
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
  [
    'a private host for an unknown purpose',
    { MOORAGE_PRIVATE_HOSTS: 'pannel=panel.lan:443' },
    /PRIVATE_HOSTS: .* no purpose "pannel"; did you mean panel\?/,
  ],
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

const withSecrets = [
  ...SECRETS.map((name) => [name, 'x://moorage:change-me@host/x'] as const),
  ['MOORAGE_METRICS_TOKEN', 'CHANGEME'],
  ['MOORAGE_ADMIN_PASSWORD', 'Please-Change_Me-1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer change-me'],
] as const

for (const [name, value] of withSecrets) {
  test(`${name}=${value} is refused, from a file too, and nothing is left behind`, (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-placeholder-'))
    t.after(() => fs.rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'secret')
    fs.writeFileSync(file, `${value}\n`)
    const dataDir = path.join(folder, 'data')
    const envs = [[name, value], ...(name.startsWith('OTEL') ? [] : [[`${name}_FILE`, file]])]
    for (const [variable = '', text] of envs) {
      const message = new RegExp(`^  ${variable}: still has change-me from the example`, 'm')
      assert.throws(() => readConfig({ MOORAGE_DATA_DIR: dataDir, [variable]: text }), message)
    }
    assert.equal(fs.existsSync(dataDir), false)
  })
}

test('a host name that only contains the placeholder is none', () => {
  const smtp = 'smtp://mail.exchangemedia.example:587'
  assert.equal(readConfig({ MOORAGE_DATA_DIR, SMTP_URL: smtp }).smtpUrl, smtp)
})

test('files are kept in the data folder, or where FILES_URL says', () => {
  const config = readConfig({ MOORAGE_DATA_DIR })
  assert.deepEqual(config.files, { folder: path.join(MOORAGE_DATA_DIR, 'files') })
  const shared = readConfig({ MOORAGE_DATA_DIR, FILES_URL: 'file:///srv/shared%20files' })
  assert.deepEqual(shared.files, { folder: '/srv/shared files' })
})

const credentials = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'secret' }
const known = { accessKeyId: 'AKIA1', secretAccessKey: 'secret', sessionToken: null }
const buckets: [string, Record<string, string>, object][] = [
  [
    's3://shop-files?region=eu-west-3',
    {},
    { endpoint: null, region: 'eu-west-3', bucket: 'shop-files', prefix: '' },
  ],
  [
    's3://shop/a/b/?endpoint=http://minio:9000',
    {},
    { endpoint: 'http://minio:9000', region: 'us-east-1', bucket: 'shop', prefix: 'a/b' },
  ],
  [
    's3://shop?endpoint=https://x.r2.cloudflarestorage.com&region=auto',
    { AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: 'token' },
    {
      ...{ endpoint: 'https://x.r2.cloudflarestorage.com', region: 'auto', bucket: 'shop' },
      ...{ prefix: '', sessionToken: 'token' },
    },
  ],
  [
    's3://shop',
    { AWS_REGION: 'eu-west-1' },
    { endpoint: null, region: 'eu-west-1', bucket: 'shop', prefix: '' },
  ],
]
for (const [FILES_URL, env, bucket] of buckets) {
  test(`${FILES_URL} is a bucket`, () => {
    const config = readConfig({ MOORAGE_DATA_DIR, FILES_URL, ...credentials, ...env })
    assert.deepEqual(config.files, { bucket: { ...known, ...bucket } })
  })
}

const noBuckets: [string, RegExp, Record<string, string>?][] = [
  ['s3://shop?region=eu-west-3', /AWS_ACCESS_KEY_ID/, {}],
  ['s3://shop', /which region/],
  ['s3://Sh_op?region=eu-west-3', /not the name of a bucket/],
  ['s3://shop/a%20b?region=eu-west-3', /what follows the bucket/],
  ['s3://shop?region=eu-west-3&secret=x', /"secret" is not known/],
  ['s3://key:secret@shop?region=eu-west-3', /credentials/],
  ['s3://shop?endpoint=ftp://x', /endpoint/],
  ['s3://shop?endpoint=https://x/path', /endpoint/],
]
for (const [FILES_URL, message, env = credentials] of noBuckets) {
  test(`${FILES_URL} is refused: ${message.source}`, () => {
    assert.throws(() => readConfig({ MOORAGE_DATA_DIR, FILES_URL, ...env }), message)
  })
}

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
