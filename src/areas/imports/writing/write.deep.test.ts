import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestApp, testApp } from '#test/app.ts'
import { assertReport, type DumpOptions, type Expected, whmcsDump } from '#test/dumps.ts'
import { DECIDED, faults, imported, rowCounts } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { findImport, insertImport } from '../queries.ts'
import { runImport } from '../run.ts'

/** How many jobs of a name wait or ran, for all but the import's own. */
async function jobs({ deps }: TestApp): Promise<unknown[]> {
  const { rows } = await deps.database.execute(
    `select distinct name from jobs.job where name not like 'imports.%' and name not like '\\_\\_%'`,
  )
  return rows.map(({ name }) => name)
}

const dumps: DumpOptions[] = [
  { clients: 12, style: 'mysqldump', schema: 8, mess: true, seed: '7' },
  { clients: 12, style: 'phpmyadmin', schema: 7, mess: true, tax: 'inclusive', seed: '8' },
]

for (const options of dumps) {
  test(`everything of ${JSON.stringify(options)} is written, quietly, and the books are right`, async (t) => {
    const app = await testApp(t)
    const before = await jobs(app)
    const { content, expected } = whmcsDump(options)
    const first = await imported(app, content)
    assert.equal(first.status, 'completed', JSON.stringify(first.fault ?? first.report.differences))
    assertReport(first.report, expected)
    assert.deepEqual(await faults(app), [])
    assert.deepEqual(await jobs(app), before)

    const counts = await rowCounts(app)
    assert.equal(counts.get('notifications.mails'), 0)
    const again = await imported(app, content)
    assert.equal(again.status, 'completed', JSON.stringify(again.report.differences))
    assert.deepEqual(await rowCounts(app), counts)
    const { reasons = [] } = again.report.resources.invoices ?? {}
    const known = reasons.find(({ code }) => code === 'already_imported')?.count ?? 0
    assert.equal(known, Number(first.report.resources.invoices?.imported))
    assert.deepEqual(await faults(app), [])

    await signIns(app, expected)
    await shown(app)
    await renewals(app, first.id)
  })
}

/**
 * Everybody's guesses are compared with one person's former password: it opens their account alone.
 * Only those whose password the dump tells stay, so that it is one of them.
 */
async function opensOnlyTheirOwn(app: TestApp, logins: Expected['logins']): Promise<void> {
  const newcomer = { email: 'new@example.org', password: 'a long enough password' }
  await app.post('/v1/auth/register', { ...newcomer, name: 'Newcomer' })
  const emails = logins.map(({ email }) => email)
  await app.deps.database.execute(
    `delete from users.legacy_passwords where user_id in (select id from users.users where email <> all($1))`,
    [emails],
  )
  const { rows } = await app.deps.database.execute(
    `select email from users.legacy_passwords
     join users.users on users.tenant_id = legacy_passwords.tenant_id and users.id = user_id
     order by form = 'bcrypt' desc, user_id limit 1`,
  )
  const compared = logins.find(({ email }) => email === rows[0]?.email)
  assert.ok(compared)
  const other = logins.find(({ password }) => password !== compared.password)
  for (const email of [newcomer.email, 'nobody@example.org', other?.email ?? '']) {
    const { status } = await app.post('/v1/auth/login', { email, password: compared.password })
    assert.equal(status, 401, `${email} with the password of somebody else`)
  }
}

/** Everybody gets in with what they had; what they had is not kept. */
async function signIns(app: TestApp, { logins }: Expected): Promise<void> {
  const forms = Map.groupBy(logins, ({ hash }) => hash)
  await opensOnlyTheirOwn(app, logins)
  for (const [form, [login]] of forms) {
    const { email = '', password = '' } = login ?? {}
    const wrong = await app.post('/v1/auth/login', { email, password: 'not the password' })
    assert.equal(wrong.status, 401, form)
    assert.match(wrong.body.message, /sets a new one by mail/)
    const right = await app.post('/v1/auth/login', { email, password })
    assert.equal(right.status, 200, `${form} ${right.text}`)
    assert.equal((await app.post('/v1/auth/login', { email, password })).status, 200)
    const { rows } = await app.deps.database.execute(
      `select password_hash from users.users where email = $1
       and id not in (select user_id from users.legacy_passwords)`,
      [email],
    )
    assert.match(String(rows[0]?.password_hash), /^\$argon2id\$/)
  }
}

/** What was imported is there for administrators, and stays as it was. */
async function shown(app: TestApp): Promise<void> {
  const admin = await person(app, { admin: true })
  const { body } = await admin.get('/v1/admin/invoices?status=open&limit=1')
  const [invoice] = body.data
  for (const [action, wanted] of [
    ['void', {}],
    ['credit-note', { amountCents: 1 }],
  ] as const) {
    const { status, body: answer } = await admin.post(
      `/v1/admin/invoices/${invoice.id}/${action}`,
      wanted,
    )
    assert.deepEqual([status, answer.code], [409, 'invoice_imported'], action)
  }
  const pdf = await admin.get(`/v1/admin/invoices/${invoice.id}/pdf`)
  assert.equal(pdf.status, 409)
  const services = await admin.get('/v1/admin/services?limit=5')
  assert.equal(services.status, 200, services.text)
  assert.ok(services.body.data.length > 0)
}

/** Renewals begin when somebody says so, once, and nothing is invoiced for what is over. */
async function renewals(app: TestApp, id: string): Promise<void> {
  const admin = await person(app, { admin: true })
  const renewed = async () => {
    const { rows } = await app.deps.database.execute(
      `select min(line.period_start) as first, count(*)::int as count from billing.invoices as invoice
       join billing.invoice_lines as line on line.invoice_id = invoice.id
       where invoice.kind = 'renewal'`,
    )
    return rows[0] as { first: string | null; count: number }
  }
  await app.advance(1)
  assert.equal((await renewed()).count, 0)
  const url = `/v1/admin/imports/${id}/begin-renewals`
  const { status, body } = await admin.post(url, {
    ...DECIDED,
    ...{ price: 'keep_amount', subscriptions: 'canceled' },
  })
  assert.equal(status, 200)
  const { rows } = await app.deps.database.execute(
    `select count(*)::int as count from services.services
     where next_invoice_at is not null and current_period_end > $1`,
    [app.deps.clock.now()],
  )
  assert.ok(body.begun > 0 && body.movedOn > 0 && body.movedOn <= body.begun, JSON.stringify(body))
  assert.equal(rows[0]?.count, body.begun)
  const again = await admin.post(url, { price: 'keep_amount' })
  assert.deepEqual([again.body.begun, again.body.movedOn], [0, 0])
  const startedAt = app.deps.clock.now()
  await app.eventually('the first renewals', async () => (await renewed()).count > 0, {
    seconds: 86_400,
  })
  assert.ok(new Date((await renewed()).first ?? 0) > new Date(startedAt))
  assert.deepEqual(await faults(app), [])
}

test('somebody who was here first gets what is theirs only once their address is confirmed', async (t) => {
  const app = await testApp(t)
  const { content, expected } = whmcsDump({ clients: 8, seed: 'first' })
  const [squatted, own] = expected.logins
  await person(app, { email: squatted?.email ?? '' })
  const { userId } = await person(app, { email: own?.email ?? '' })
  const { database } = app.deps
  await database.execute('update users.users set email_verified_at = null where email = $1', [
    squatted?.email,
  ])
  await database.execute('update users.users set email_verified_at = now() where email = $1', [
    own?.email,
  ])
  const { status, report } = await imported(app, content)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  const reasons = report.resources.users?.reasons.map(({ code, count }) => [code, count])
  assert.deepEqual(reasons?.sort(), [
    ['account_exists', 1],
    ['address_not_confirmed', 1],
  ])
  const { rows } = await database.execute(
    `select person.email, count(*)::int as count from billing.invoices as invoice
     join users.users as person on person.id = invoice.user_id
     where person.email = any($1) group by person.email`,
    [[squatted?.email, own?.email]],
  )
  assert.deepEqual(
    rows.map(({ email }) => email),
    [own?.email],
  )
  assert.ok(userId)
  assert.deepEqual(await faults(app), [])
})

test('a process that dies while it writes has written nothing, and the next one writes it all', async (t) => {
  const app = await testApp(t)
  const { deps, tenantId } = app
  const db = deps.database.of(tenantId)
  const { content } = whmcsDump({ clients: 6, seed: 'dies' })
  const before = await rowCounts(app)
  const fileKey = `${tenantId}/imports/dies`
  await deps.files.put(fileKey, content)
  const now = deps.clock.now()
  const key = { tenantId, id: '01900000-0000-7000-8000-000000000001' }
  const { transact } = await import('#platform/database/index.ts')
  await transact(db, (tx) =>
    insertImport(tx, {
      ...{ ...key, userId: null, fileName: 'dump.sql', fileKey, sizeBytes: content.length },
      ...{ sha256: Buffer.alloc(32), dryRun: false, wantedSystem: null, createdAt: now },
    }),
  )
  const { signal } = new AbortController()
  let dying = true
  const context = { ...deps, db, signal, transact: (work: never) => transact(db, work) }
  await assert.rejects(
    runImport(
      {
        ...context,
        async transact(work) {
          const row = await findImport(db, key)
          return transact(db, async (tx) => {
            const done = await work(tx)
            // After everything is written, before any of it is committed.
            if (row?.phase === 'writing' && dying) throw new Error('dies')
            return done
          })
        },
      },
      key,
    ),
    /dies/,
  )
  assert.deepEqual(await rowCounts(app), before)
  dying = false
  deps.clock.advance(61_000)
  await runImport(context as never, key)
  const ended = await findImport(db, key)
  assert.equal(ended?.status, 'completed', JSON.stringify(ended?.report))
  assert.deepEqual(await faults(app), [])
})
