import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { LOCALES } from '#lib/languages.ts'
import { PURPOSES, purposesIn } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { rowsOfOthers } from '#test/contents.ts'
import { otherTenant, person } from '#test/people.ts'
import { world } from '#test/world.ts'
import { accessTokens, hashPassword, openSession, setPassword } from '#users'

/**
 * Everything that is kept about a person: all of it is in their export, and nothing of it is left
 * when their account has ended but what the rulebook keeps. The searches read every table there is,
 * so a new one is in here by being made.
 */
const there = await world({ config: { trustProxy: ['127.0.0.1'] } })
const { app, db, owner, admin, tenantId, bot, discordId } = there
const { database, clock } = app.deps
const ME = '/v1/users/me'
const PASSWORD = 'correct horse battery'
const ADDRESS = { line1: '12 Analytical Lane', postcode: '75002', city: 'Paris', country: 'FR' }
const NAME = 'Augusta Ada Quillfeather'
const PHONE = '+33 1 99 00 77 42'
const IP = '203.0.113.177'
const EXPORT = '/v1/billing/export-data'

/** The owner of the world as they come from their own address, with their second factor. */
async function signedIn() {
  const now = clock.now()
  const { userId } = owner
  const device = { address: IP, userAgent: 'test' }
  const { sessionId } = await transact(db, (tx) =>
    openSession(tx, { tenantId, userId, device, secondFactorAt: now }, now),
  )
  const token = accessTokens(app.deps).sign({ tenantId, userId, sessionId }, now)
  return clientFor(app.url, { 'x-forwarded-for': IP, authorization: `Bearer ${token}` })
}

/** The tables whose rows hold a text, but for those where it may be. */
async function tablesHolding(text: string, besides: readonly string[] = []): Promise<string[]> {
  const { rows } = await database.execute(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
     from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
     order by 1`,
  )
  const found: string[] = []
  for (const { name } of rows as { name: string }[]) {
    if (besides.includes(name)) continue
    const { rows: hits } = await database.execute(
      `select count(*)::int as count from ${name} t where t::text ilike '%' || $1 || '%'`,
      [text],
    )
    if (hits[0]?.count !== 0) found.push(name)
  }
  return found
}

/** Where the documents that were made out to somebody are stored. */
async function filesOf(userId: string): Promise<string[]> {
  const { rows } = await database.execute(
    `select file.file_key as key from billing.document_files file
     join billing.documents document on document.id = file.document_id
     left join billing.invoices invoice on invoice.id = document.invoice_id
     left join billing.credit_notes note on note.id = document.credit_note_id
     where coalesce(invoice.user_id, note.user_id) = $1`,
    [userId],
  )
  return (rows as { key: string }[]).map(({ key }) => key)
}

async function quiet(): Promise<void> {
  await there.quiet()
  await until('no job runs or waits', async () => {
    const { rows } = await database.execute(
      `select count(*)::int as count from jobs.job
       where state in ('created', 'retry', 'active') and start_after <= now()`,
    )
    return rows[0]?.count === 0
  })
}

const passwordHash = await hashPassword(PASSWORD)
await transact(db, (tx) =>
  setPassword(tx, { tenantId, userId: owner.userId, passwordHash }, clock.now()),
)
const ada = await signedIn()
await ada.patch(ME, { name: NAME, address: ADDRESS, company: 'Engines of Quill' })
await ada.patch(ME, { phone: PHONE, timeZone: 'Europe/Paris', marketingConsent: true })
await ada.post('/v1/api-keys', { permission: 'read', name: 'Exported key' })
const invoiceUrl = `/v1/billing/invoices/${[...there.objects].find(([key]) => key === '/v1/billing/invoices/:id')?.[1]}`

test('the export holds every area’s part of the person, purposes and all (R8.1)', async () => {
  await quiet()
  // The log is chained a moment later, by what no queue knows of.
  const { status, body } = await app.eventually('the log is chained', async () => {
    const answer = await ada.get(EXPORT)
    return answer.body.data?.audit.auditLog.length > 0 && answer
  })
  assert.equal(status, 200)
  assert.equal(body.schemaVersion, 1)
  assert.ok(body.generatedAt)
  const { data } = body
  for (const { name, personalData } of areas) {
    if (personalData) assert.ok(Object.keys(data[name] ?? {}).length > 0, `${name} has a part`)
  }
  const filled = [
    ...[data.users.profile, data.users.sessions, data.users.apiKeys, data.audit.auditLog],
    ...[data.notifications.notifications, data.notifications.mails, data.store.cart.items],
    ...[data.ledger.credits, data.billing.invoices, data.billing.creditNotes],
    ...[data.billing.payments, data.billing.refunds, data.billing.paymentMethods],
    ...[data.services.services, data.services.panelAccounts, data.orders.orders],
    data.bot.discordRoles,
  ]
  for (const [index, part] of filled.entries()) {
    assert.ok(Object.keys(part).length > 0, `part ${index} is filled`)
  }
  assert.equal(data.users.profile.name, NAME)
  assert.equal(data.users.profile.address.line1, ADDRESS.line1)
  assert.equal(data.users.profile.phone, PHONE)
  assert.ok(data.users.profile.marketingConsentAt)
  assert.equal(data.users.profile.marketingConsentSource, 'profile')
  assert.equal(data.users.profile.timeZone, 'Europe/Paris')
  assert.ok(data.store.firstPaidAt)
  for (const { purpose, legalBasis, retention } of body.purposes) {
    assert.ok(purpose && legalBasis && retention)
  }
  const names = areas.flatMap(({ purposes = [] }) => purposes)
  assert.deepEqual(names.toSorted(), PURPOSES.toSorted(), 'every text is somebody’s')
  assert.deepEqual(body.purposes, purposesIn('en', names))
  const withData = areas.filter((area) => area.personalData).map(({ name }) => name)
  const withPurposes = areas.filter((area) => area.purposes?.length).map(({ name }) => name)
  assert.deepEqual(withPurposes, withData, 'who keeps something says why')
})

test('the export says why in the language of its person', async () => {
  assert.equal((await ada.patch(ME, { locale: 'fr' })).status, 200)
  const { purposes } = (await ada.get(EXPORT)).body
  assert.equal((await ada.patch(ME, { locale: 'en' })).status, 200)
  const names = areas.flatMap(({ purposes: own = [] }) => own)
  assert.deepEqual(purposes, purposesIn('fr', names))
  for (const locale of LOCALES.filter((it) => it !== 'en')) {
    const same = names.filter(
      (name) => purposesIn(locale, [name])[0]?.purpose === purposesIn('en', [name])[0]?.purpose,
    )
    assert.deepEqual(same, [], `${locale} is another language`)
  }
  assert.throws(() => purposesIn('en', ['users.nothing']))
})

test('the export holds nothing of others, and no secret (hardening 9)', async () => {
  await there.invoice(await person(app))
  const { text } = await ada.get(EXPORT)
  const others = await rowsOfOthers(app, owner.userId)
  for (const name of ['billing.invoices', 'users.sessions', 'notifications.notifications']) {
    assert.ok(
      others.some(([it]) => it === name),
      `others have something in ${name}`,
    )
  }
  assert.deepEqual(
    others.filter(([, id]) => text.includes(id)),
    [],
  )
  for (const secret of [PASSWORD, passwordHash, owner.token, owner.refreshToken]) {
    assert.ok(!text.includes(secret))
  }
  const rows = await database.execute('select email from users.users where id <> $1', [
    owner.userId,
  ])
  const invited = 'friend@example.org'
  for (const other of [...rows.rows.map(({ email }) => String(email)), invited]) {
    assert.ok(!text.includes(other), other)
  }
  assert.ok(!text.includes(there.objects.get('/v1/invitations/:token') ?? '-'))
  assert.doesNotMatch(text, /"\w*(hash|secret|password|sealed)\w*":/i)
  assert.doesNotMatch(text, /argon2|moor_\w{20}|"(pm|cus|pi)_/)
})

test('the export is in the log', async () => {
  const { data } = (await admin.get(`/v1/admin/audit-logs?route=${EXPORT}`)).body
  assert.equal(data[0].actorId, owner.userId)
  assert.equal(data[0].statusCode, 200)
})

const UNSETTLED: [string, string, () => Promise<unknown>][] = [
  ['a service runs', 'services_active', () => endServices()],
  ['credit is left', 'credit_left', async () => {}],
]

async function endServices(): Promise<void> {
  await database.execute(
    `update services.services set ended_at = now(), end_reason = 'canceled' where user_id = $1`,
    [owner.userId],
  )
}

for (const [what, code, settle] of UNSETTLED) {
  test(`while ${what} the account stays, and nothing has changed (R8.2)`, async () => {
    const { status, body } = await ada.delete(ME, { password: PASSWORD })
    assert.deepEqual([status, body.code], [409, code])
    assert.equal((await ada.get(ME)).body.name, NAME)
    await settle()
  })
}

test('while an invoice is open or a dispute runs the account stays (R8.2)', async () => {
  const open = await there.invoice(owner)
  const wish = { password: PASSWORD, forfeitCredit: true }
  assert.equal((await ada.delete(ME, wish)).body.code, 'invoices_open')
  await admin.post(`/v1/admin/invoices/${open.id}/void`, { reason: 'Not wanted' })
  await database.execute(
    `insert into billing.disputes (tenant_id, id, payment_id, gateway_id, provider_dispute_id,
       amount_cents, currency, state, observed_at, created_at)
     select tenant_id, gen_random_uuid(), id, gateway_id, 'dp_1', 1, 'EUR', 'needs_response', now(),
       now() from billing.payments where user_id = $1 limit 1`,
    [owner.userId],
  )
  assert.equal((await ada.delete(ME, wish)).body.code, 'disputes_open')
  await database.execute(`update billing.disputes set state = 'won', ended_at = now()`)
})

test('after deletion no table but the kept documents holds the person (R8.2, invariant 28)', async () => {
  await quiet()
  const email = owner.email
  for (const text of [email, NAME, PHONE, ADDRESS.line1, IP]) {
    assert.notDeepEqual(await tablesHolding(text), [], `${text} is there before`)
  }
  const { rows: methods } = await database.execute(
    'select id from billing.payment_methods where user_id = $1 and gone_at is null',
    [owner.userId],
  )
  assert.ok(methods.length > 0)
  const { status, text } = await ada.delete(ME, { password: PASSWORD, forfeitCredit: true })
  assert.equal(status, 200, text)
  await quiet()
  const kept = ['billing.invoices', 'billing.credit_notes']
  assert.deepEqual(await tablesHolding(email, kept), [])
  assert.deepEqual(await tablesHolding(NAME, kept), [])
  assert.deepEqual(await tablesHolding(ADDRESS.line1, kept), [])
  assert.deepEqual(await tablesHolding(PHONE), [])
  assert.deepEqual(await tablesHolding(IP), [])
  const { rows } = await database.execute(
    `select count(*)::int as count from billing.invoices
     where user_id = $1 and number is null and buyer <> '{}'`,
    [owner.userId],
  )
  assert.equal(rows[0]?.count, 0, 'what was never issued has no buyer')
})

test('what remains of their account at Discord is that their roles are to be taken, for a month', async () => {
  assert.deepEqual(await tablesHolding(discordId), ['bot.role_changes'])
  const { data } = (await bot.get('/v1/bot/role-changes?after=0')).body
  const own = data.filter((it: { discordId: string }) => it.discordId === discordId)
  assert.deepEqual(
    own.map(({ action }: { action: string }) => action),
    ['remove'],
  )
})

test('what the law keeps is kept, and the books and the log still hold (R8.3, R8.4)', async () => {
  const { rows } = await database.execute(
    `select buyer ->> 'email' as email from billing.invoices
     where user_id = $1 and number is not null`,
    [owner.userId],
  )
  assert.deepEqual(rows, [{ email: owner.email }])
  await there.assertSound()
  assert.equal((await there.creditOf(admin)) >= 0, true)
  const auditor = await person(app, { admin: true })
  assert.equal((await auditor.get('/v1/admin/audit-logs/verify')).body.valid, true)
  const invoice = await auditor.get(invoiceUrl.replace('/v1/billing', '/v1/admin'))
  assert.equal(invoice.status, 200)
})

test('the provider no longer has the payment method', async () => {
  const { rows } = await database.execute(
    `select provider_method_id as id from billing.payment_methods where user_id = $1`,
    [owner.userId],
  )
  assert.ok(rows.length > 0)
  for (const { id } of rows) {
    await app.eventually('the provider lets go of it', async () => {
      const { customer } = await there.sdk.paymentMethods.retrieve(String(id))
      return customer === null
    })
  }
})

test('after the time the law wants, the buyer goes from issued documents too (R3.12, R8.3)', async () => {
  const stays = await there.customer()
  const bought = await there.invoice(stays)
  const path = `/v1/admin/invoices/${bought.id}/mark-paid`
  const paid = await admin.post(path, { gatewayId: there.gatewayId, reference: 'cash' })
  assert.equal(paid.status, 200, paid.text)
  const kept = await until('the documents are stored', async () => {
    const files = await filesOf(owner.userId)
    return files.length > 0 && files
  })
  // The stand-in's log does not age with our clock: what was forgotten would be read from it again.
  const gateway = `/v1/admin/gateways/${there.gatewayId}`
  assert.equal((await admin.patch(gateway, { enabled: false })).status, 200)
  await quiet()
  await app.advance(12 * 366 * 24 * 3600)
  await app.eventually('the documents are anonymous', async () => {
    return (await tablesHolding(owner.email)).length === 0
  })
  assert.deepEqual(await tablesHolding(NAME), [])
  assert.deepEqual(await tablesHolding(discordId), [])
  const { rows } = await database.execute(
    `select count(*)::int as whole from billing.invoices where user_id = $1 and number is not null
       and total_cents > 0 and net_cents + tax_cents = total_cents and content_hash is not null`,
    [owner.userId],
  )
  assert.equal(rows[0]?.whole, 1)
  await until('the files are gone', async () => (await filesOf(owner.userId)).length === 0)
  for (const key of kept) assert.equal(await app.deps.files.exists(key), false, key)
  assert.notDeepEqual(
    await tablesHolding(stays.email),
    [],
    'who is still here keeps their documents',
  )
  await there.assertSound()
})

test('a document that was issued loses nothing before, whoever asks', async () => {
  const { rows } = await database.execute(
    `select id from billing.invoices where number is not null and anonymized_at is null limit 1`,
  )
  const [invoice] = rows
  assert.ok(invoice)
  const change = `update billing.invoices set buyer = '{}', anonymized_at = now() where id = $1`
  await assert.rejects(database.execute(change, [invoice.id]), /does not change/)
  await assert.rejects(database.execute(`update billing.credit_notes set buyer = '{}'`))
})

test('a person of another tenant with the same address keeps everything', async () => {
  const namesake = await person(app, {
    ...{ tenantId: await otherTenant(app, 'namesake.test'), email: owner.email },
  })
  assert.equal((await namesake.get(ME)).body.email, owner.email)
})
