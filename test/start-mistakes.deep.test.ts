import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'

/** Mistakes of the person who starts the service, each in a process of its own: one sentence, exit code 1. */
const ROOT = path.join(import.meta.dirname, '..')
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-mistakes-'))
const key = Buffer.alloc(32, 5).toString('base64')
const taken = createServer()
/** The timeout of a start without output. */
const HANGS_MS = 60_000
let port = ''
before(async () => {
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  port = String(address && typeof address === 'object' ? address.port : 0)
  fs.writeFileSync(`${place}/file`, 'x')
  fs.writeFileSync(`${place}/empty`, '')
  for (const name of ['keyless', 'damaged', 'short', 'blank', 'nonsense', 'older']) {
    fs.mkdirSync(`${place}/${name}/database`, { recursive: true })
    fs.writeFileSync(`${place}/${name}/secret.key`, key)
    if (name === 'damaged') fs.writeFileSync(`${place}/${name}/database/PG_VERSION`, '99\n')
    if (name === 'older') fs.writeFileSync(`${place}/${name}/database.lock`, 'this is not a lock')
  }
  fs.writeFileSync(`${place}/keyless/database/PG_VERSION`, '18\n')
  fs.rmSync(`${place}/keyless/secret.key`)
  fs.writeFileSync(`${place}/short/secret.key`, 'c2hvcnQ=')
  fs.writeFileSync(`${place}/blank/secret.key`, '')
  fs.writeFileSync(`${place}/nonsense/secret.key`, `${'?'.repeat(43)}=`)
  fs.mkdirSync(`${place}/unreadable-env`)
  fs.mkdirSync(`${place}/unreadable-env/.env`)
})
after(() => {
  taken.close()
  fs.rmSync(place, { recursive: true })
})

type Mistake = [what: string, env: () => Record<string, string>, said: RegExp, cwd?: () => string]
const server = process.env.DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test'
const onServer = (url: string, more = {}) => ({
  DATABASE_URL: url,
  MOORAGE_SECRET_KEY: key,
  ...more,
})

const MISTAKES: Mistake[] = [
  [
    'a port that is no number',
    () => ({ PORT: 'http' }),
    /^ {2}PORT: "http" is not a whole number/m,
  ],
  ['a port that is too high', () => ({ PORT: '70000' }), /PORT: "70000" is not a whole number/],
  [
    'a port in use',
    () => ({ PORT: port }),
    /^PORT: port \d+ on 127\.0\.0\.1 is in use .* another port/,
  ],
  [
    'an address of another machine',
    () => ({ HOST: '192.0.2.7' }),
    /^HOST: 192\.0\.2\.7 is not an address/,
  ],
  [
    'a host name that is none',
    () => ({ HOST: 'no.such.host.invalid' }),
    /^HOST: no\.such\.host\.invalid (is not|cannot)/,
  ],
  [
    'a database of another kind',
    () => onServer('mysql://x'),
    /DATABASE_URL: not an address that starts with/,
  ],
  [
    'a database nobody serves',
    () => onServer('postgres://u@127.0.0.1:1/shop'),
    /^DATABASE_URL: cannot use shop on 127\.0\.0\.1:1 as u: nothing listens there; start PostgreSQL/,
  ],
  [
    'a database on an unknown host',
    () => onServer('postgres://u@no.such.host.invalid/shop'),
    /^DATABASE_URL: .*(no such host; correct|cannot be resolved; check)/,
  ],
  [
    'a database without a key',
    () => ({ DATABASE_URL: server }),
    /MOORAGE_SECRET_KEY: required with DATABASE_URL/,
  ],
  [
    'a variable that is misspelt',
    () => ({ DATABSE_URL: server }),
    /DATABSE_URL: there is no such variable; DATABASE_URL is/,
  ],
  [
    'letters in the wrong order',
    () => ({ DATABASE_ULR: server }),
    /DATABASE_ULR: .*; DATABASE_URL is probably meant/,
  ],
  [
    'a lower-case name',
    () => ({ database_url: server }),
    /database_url: .*; DATABASE_URL is probably meant/,
  ],
  ['REDIS_URI', () => ({ REDIS_URI: 'redis://x' }), /REDIS_URI: .*; REDIS_URL is probably meant/],
  ['LOGLEVEL', () => ({ LOGLEVEL: 'debug' }), /LOGLEVEL: .*; LOG_LEVEL is probably meant/],
  [
    'MOORAGE_DATADIR',
    () => ({ MOORAGE_DATADIR: '/x' }),
    /MOORAGE_DATADIR: there is no such variable/,
  ],
  [
    'MOORAGE_PORT',
    () => ({ MOORAGE_PUBLIC_URL: 'https://x' }),
    /MOORAGE_PUBLIC_URL: .*; PUBLIC_URL is probably meant/,
  ],
  [
    'an unknown variable of ours',
    () => ({ MOORAGE_COLOUR: 'blue' }),
    /MOORAGE_COLOUR: there is no such variable; remove it/,
  ],
  [
    'a secret key that is too short',
    () => ({ MOORAGE_SECRET_KEY: 'c2hvcnQ=' }),
    /MOORAGE_SECRET_KEY: not 32 bytes in base64; make one/,
  ],
  [
    'a secret key that is no base64',
    () => ({ MOORAGE_SECRET_KEY: `${'?'.repeat(43)}=` }),
    /MOORAGE_SECRET_KEY: not 32 bytes/,
  ],
  [
    'a secret key in two places',
    () => ({ MOORAGE_SECRET_KEY: key, MOORAGE_SECRET_KEY_FILE: '/x' }),
    /are both set: remove one/,
  ],
  [
    'a secret file that is missing',
    () => ({ MOORAGE_SECRET_KEY_FILE: `${place}/none` }),
    /MOORAGE_SECRET_KEY_FILE: ENOENT/,
  ],
  [
    'a secret file that is empty',
    () => ({ DATABASE_URL_FILE: `${place}/empty` }),
    /DATABASE_URL_FILE: .* is empty/,
  ],
  [
    'a key file that is short',
    () => ({ MOORAGE_DATA_DIR: `${place}/short` }),
    /secret\.key is damaged: .* Put back your copy/,
  ],
  [
    'a key file that is empty',
    () => ({ MOORAGE_DATA_DIR: `${place}/blank` }),
    /secret\.key is damaged/,
  ],
  [
    'a key file with nonsense',
    () => ({ MOORAGE_DATA_DIR: `${place}/nonsense` }),
    /secret\.key is damaged/,
  ],
  [
    'a missing key beside a database',
    () => ({ MOORAGE_DATA_DIR: `${place}/keyless` }),
    /secret\.key is missing, and the database beside it .* Put back/,
  ],
  [
    'a data folder that is a file',
    () => ({ MOORAGE_DATA_DIR: `${place}/file` }),
    /MOORAGE_DATA_DIR: /,
  ],
  [
    'a data folder below a file',
    () => ({ MOORAGE_DATA_DIR: `${place}/file/x`, MOORAGE_SECRET_KEY: key }),
    /^MOORAGE_DATA_DIR: .* choose a folder/,
  ],
  [
    'a data folder that cannot be made',
    () => ({ MOORAGE_DATA_DIR: '/proc/moorage', MOORAGE_SECRET_KEY: key }),
    /^MOORAGE_DATA_DIR: \/proc\/moorage cannot be used/,
  ],
  [
    'a database folder of another version',
    () => ({ MOORAGE_DATA_DIR: `${place}/damaged` }),
    /^The database in \S+ is damaged or of another version/,
  ],
  [
    'a lock file that is none',
    () => ({ MOORAGE_DATA_DIR: `${place}/older` }),
    /^The file \S+database\.lock cannot be locked/,
  ],
  [
    'an unknown role',
    () => ({ MOORAGE_ROLE: 'boss' }),
    /MOORAGE_ROLE: "boss" is not one of all, api, worker/,
  ],
  [
    'a worker on the embedded database',
    () => ({ MOORAGE_ROLE: 'worker' }),
    /MOORAGE_ROLE: .* set DATABASE_URL/,
  ],
  ['a log level that is none', () => ({ LOG_LEVEL: 'loud' }), /LOG_LEVEL: "loud" is not one of/],
  ['an administrator without a password', () => ({ MOORAGE_ADMIN_EMAIL: 'a@b.c' }), /go together/],
  [
    'a short password',
    () => ({ MOORAGE_ADMIN_EMAIL: 'a@b.c', MOORAGE_ADMIN_PASSWORD: 'short' }),
    /MOORAGE_ADMIN_PASSWORD: at least/,
  ],
  [
    'a mail server of another kind',
    () => ({ SMTP_URL: 'imap://x' }),
    /SMTP_URL: not an address that starts with smtp/,
  ],
  [
    'a password of the example',
    () => onServer('postgres://moorage:change-me@127.0.0.1:5432/moorage'),
    /DATABASE_URL: still has change-me from the example; set a secret of your own/,
  ],
  [
    'a password of an administrator from the example',
    () => ({ MOORAGE_ADMIN_EMAIL: 'a@b.c', MOORAGE_ADMIN_PASSWORD: 'change-me-please' }),
    /MOORAGE_ADMIN_PASSWORD: still has change-me/,
  ],
  ['counters of another kind', () => ({ REDIS_URL: 'http://x' }), /REDIS_URL: not an address/],
  [
    'a public address that is none',
    () => ({ PUBLIC_URL: 'shop.example' }),
    /PUBLIC_URL: not an address/,
  ],
  [
    'a private host without a port',
    () => ({ MOORAGE_PRIVATE_HOSTS: 'panel' }),
    /MOORAGE_PRIVATE_HOSTS: "panel" is not purpose=host:port/,
  ],
  [
    'a place for files that is none',
    () => ({ FILES_URL: 'https://x' }),
    /FILES_URL: not the address of a folder or a bucket/,
  ],
  [
    'a bucket without credentials',
    () => ({ FILES_URL: 's3://shop?region=eu-west-3' }),
    /AWS_ACCESS_KEY_ID/,
  ],
  [
    'a folder for files below a file',
    () => ({ FILES_URL: `file://${place}/file/x` }),
    /^FILES_URL: files cannot be kept in the folder/,
  ],
  [
    'a folder for files where none can be made',
    () => ({ FILES_URL: 'file:///proc/moorage' }),
    /^FILES_URL: files cannot be kept in the folder \/proc\/moorage/,
  ],
  [
    'a proxy that is no address',
    () => ({ TRUST_PROXY: 'true' }),
    /TRUST_PROXY: "true" is not an IP address or a range/,
  ],
  [
    'a range of proxies that is none',
    () => ({ TRUST_PROXY: '10.0.0.0/99' }),
    /TRUST_PROXY: "10.0.0.0\/99" is not an IP address or a range/,
  ],
  [
    'a mail server without a host',
    () => ({ SMTP_URL: 'smtp://' }),
    /SMTP_URL: the address names no host/,
  ],
  [
    'an administrator without an address',
    () => ({ MOORAGE_ADMIN_EMAIL: 'admin', MOORAGE_ADMIN_PASSWORD: 'correct horse battery' }),
    /MOORAGE_ADMIN_EMAIL: "admin" is not an email address/,
  ],
  [
    'a password of the administrator that is guessed at once',
    () => ({ MOORAGE_ADMIN_EMAIL: 'a@example.org', MOORAGE_ADMIN_PASSWORD: 'password1234' }),
    /MOORAGE_ADMIN_PASSWORD: this password is too easy to guess/,
  ],
  [
    'a rate limit below one',
    () => ({ RATE_LIMIT_AUTH: '0' }),
    /RATE_LIMIT_AUTH: "0" is not a whole number from 1/,
  ],
  [
    'a .env that cannot be read',
    () => ({}),
    /^The file \.env cannot be read/,
    () => `${place}/unreadable-env`,
  ],
]
if (process.env.DATABASE_URL) {
  const missing = new URL(server)
  missing.pathname = '/no_such_database'
  MISTAKES.push([
    'a database that is not there',
    () => onServer(missing.href),
    /^DATABASE_URL: cannot use no_such_database .* no such database/,
  ])
  const { Client } = await import('pg')
  const owner = new Client({ connectionString: server })
  const role = `moorage_reader_${process.pid}`
  before(async () => {
    await owner.connect()
    await owner.query(`create role ${role} login`)
  })
  after(async () => {
    await owner.query(`drop role ${role}`)
    await owner.end()
  })
  const asReader = new URL(server)
  asReader.username = role
  MISTAKES.push([
    'a user of the database without rights',
    () => onServer(asReader.href),
    /^DATABASE_URL: cannot use .* this user lacks rights; make it the owner of the database/,
  ])
}

test('at least 40 mistakes are tested', () => {
  assert.ok(MISTAKES.length >= 40, `${MISTAKES.length}`)
})

for (const [index, [what, env, said, cwd]] of MISTAKES.entries()) {
  test(`${what} ends the start with one sentence that says what to do`, async () => {
    const own = { MOORAGE_DATA_DIR: `${place}/own-${index}`, PORT: '0' }
    const child = spawn(process.execPath, [path.join(ROOT, 'src/main.js'), 'serve'], {
      cwd: cwd?.() ?? place,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...own, ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (it) => (text += it))
    const late = setTimeout(() => child.kill('SIGKILL'), HANGS_MS)
    const [code] = await once(child, 'close')
    clearTimeout(late)
    assert.match(text, said)
    assert.equal(code, 1)
    assert.doesNotMatch(text, /^ +at /m, 'no stack trace')
  })
}
