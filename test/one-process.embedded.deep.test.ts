import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openEmbedded } from '#platform/database/embedded.ts'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { openDataOf } from '#platform/private-files.ts'
import { clientFor } from '#test/client.ts'
import { freePort, type Running, startProcess } from '#test/processes.ts'

/** How often everything is tried: 50 times with `SCALE=1`, once where nothing is said. */
const TIMES = Math.max(1, Math.round(50 * Number(process.env.SCALE ?? 0)))
const ROOT = path.join(import.meta.dirname, '..')
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-one-process-'))
const dataDir = path.join(place, 'data')
const ADMIN = { email: 'admin@example.com', password: 'a long enough password' }
const env = {
  ...{ MOORAGE_DATA_DIR: dataDir, LOG_LEVEL: 'error', PORT: String(await freePort()) },
  ...{ MOORAGE_ADMIN_EMAIL: ADMIN.email, MOORAGE_ADMIN_PASSWORD: ADMIN.password },
  ...{ RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_AUTH: '100000', RATE_LIMIT_PERSON: '100000' },
}
const dump = path.join(place, 'dump.sql')
fs.writeFileSync(dump, 'select 1;')
let service: Running | null = null
after(async () => {
  await service?.kill()
  fs.rmSync(place, { recursive: true })
})

async function serve(): Promise<Running> {
  return startProcess({ script: 'src/main.js', args: ['serve'], env, ready: /listens on/ })
}

/** A command of an operator, to its end. */
async function moorage(...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [path.join(ROOT, 'src/main.js'), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const [code] = await once(child, 'close')
  return { code, said }
}

test('a first start on a free port prints a setup link with the port that it listens on', async (t) => {
  const first = await startProcess({
    ...{ script: 'src/main.js', args: ['serve'], ready: /^Make the first administrator/ },
    env: { MOORAGE_DATA_DIR: path.join(place, 'first'), LOG_LEVEL: 'error', PORT: '0' },
  })
  t.after(() => first.kill())
  const [, port = ''] = /listens on http:\/\/[\w.]+:(\d+)/.exec(first.lines.join('\n')) ?? []
  assert.ok(Number(port) > 0)
  assert.equal(new URL(/http\S+/.exec(first.ready)?.[0] ?? '').port, port)
})

const written: string[] = []

/** Writes a row through the API while a command runs. */
async function write(): Promise<void> {
  const email = `row-${written.length}@example.com`
  const person = { email, password: 'a long enough password', name: 'Row', country: 'FR' }
  const answer = await clientFor(`http://127.0.0.1:${env.PORT}`).post('/v1/auth/register', person)
  assert.equal(answer.status, 201, answer.text)
  written.push(email)
}

/** All registrations of these tests come from one network, which is usually limited to some of them. */
async function raiseLimit(): Promise<void> {
  const client = clientFor(`http://127.0.0.1:${env.PORT}`)
  const signedIn = await client.post('/v1/auth/login', ADMIN)
  assert.equal(signedIn.status, 200, signedIn.text)
  const headers = { authorization: `Bearer ${signedIn.body.accessToken}` }
  const limits = { registrationsPerNetwork: 2 * TIMES * beside.length }
  const changed = await client.patch('/v1/admin/settings', { limits }, { headers })
  assert.equal(changed.status, 200, changed.text)
}

const REFUSED =
  /^Process \d+ on \S+ \(moorage serve, since \S+\) has the database in \S+ open, and only one process may\./
const beside: [string, string[], number, RegExp][] = [
  ['a second start', ['serve'], 1, REFUSED],
  ['secret rotate', ['secret', 'rotate'], 1, REFUSED],
  ['doctor', ['doctor'], 0, /^Everything is in order\.\n$/],
  ['migrate', ['migrate'], 0, /^The database is up to date\n$/],
  ['admin create', ['admin', 'create', '--email', ADMIN.email], 0, /may do everything now/],
  ['admin reset-password', ['admin', 'reset-password', '--email', ADMIN.email], 0, /new password/],
  ['import', ['import', dump], 1, /This is not the dump of a database/],
  ['openapi', ['openapi'], 0, /"openapi": "3\.1/],
]

for (let time = 1; time <= TIMES; time += 1) {
  test(`commands beside a running service leave a database that opens, with all rows (${time})`, async () => {
    // One that failed has left its service.
    await service?.kill()
    service = await serve()
    const { pid } = service
    if (time === 1) await raiseLimit()
    for (const [what, args, code, said] of beside) {
      const [ended] = await Promise.all([moorage(...args), write()])
      assert.deepEqual([ended.code, said.test(ended.said)], [code, true], `${what}: ${ended.said}`)
      if (REFUSED === said) assert.ok(ended.said.startsWith(`Process ${pid} on`))
      await write()
    }
    // The service ends by force and in order in turn.
    if (time % 2 === 1) await service.kill()
    else assert.equal(await service.end(), 0)
    service = null
    assert.deepEqual([...openDataOf(dataDir)], [])
    await assertWhole()
  })
}

async function assertWhole(): Promise<void> {
  const database = await openEmbedded(path.join(dataDir, 'database'), NOBODY_LISTENS)
  try {
    const { rows } = await database.execute(
      `select email from users.users where email like 'row-%'`,
    )
    assert.deepEqual(rows.map(({ email }) => email).sort(), written.toSorted())
  } finally {
    await database.close()
  }
}
