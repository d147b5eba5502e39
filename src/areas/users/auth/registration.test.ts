import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, SECOND_MS } from '#lib/time.ts'
import { account, PASSWORD } from '#test/accounts.ts'
import { testApp, until } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

const app = await testApp(null, { config: { trustProxy: ['127.0.0.1'] } })
// Sessions end while the clock moves; keys do not.
const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read' })
const LIMITS = { registrationsPerNetwork: 8, takenAddressesPerNetwork: 3 }
await keepSettings(app, 'limits', LIMITS)
let made = 0

function register(email: string, address: string) {
  const wanted = { email, password: PASSWORD, name: 'Eve' }
  return app.post('/v1/auth/register', wanted, { headers: { 'x-forwarded-for': address } })
}

function freeAddress(): string {
  made += 1
  return `new${made}@example.org`
}

async function attemptsMailedTo(recipient: string): Promise<{ body: string }[]> {
  const { body } = await admin.get(
    `/v1/admin/mails?kind=registration_attempted&recipient=${encodeURIComponent(recipient)}`,
  )
  return body.data
}

/** The jobs that notify somebody, written in the transactions of the attempts. */
async function noticesTo(userId: string): Promise<number> {
  const { rows } = await app.deps.database.execute(
    `select count(*)::int as count from jobs.job
     where name = 'notifications.tell-users-registration-attempted' and data::text like $1`,
    [`%${userId}%`],
  )
  return Number(rows[0]?.count)
}

async function statuses(answers: readonly Promise<{ status: number }>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status)
}

test('a network that tried too many taken addresses waits an hour, for free addresses too', async () => {
  const { email } = await account(app)
  for (let n = 0; n < LIMITS.takenAddressesPerNetwork; n += 1) {
    const { status, body } = await register(email, '192.0.2.1')
    assert.deepEqual([status, body.code], [409, 'address_unavailable'])
  }
  for (const address of [email, freeAddress()]) {
    const { status, body, headers } = await register(address, '192.0.2.1')
    assert.deepEqual([status, body.code], [429, 'limit_reached'])
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= HOUR_MS / SECOND_MS, `Retry-After: ${seconds}`)
  }
  assert.equal((await register(email, '192.0.2.2')).status, 409)
  assert.equal((await register(freeAddress(), '192.0.2.2')).status, 201)
  await app.advance(HOUR_MS / SECOND_MS + 1)
  assert.equal((await register(email, '192.0.2.1')).status, 409)
  assert.equal((await register(freeAddress(), '192.0.2.1')).status, 201)
})

test('attempts at taken addresses that arrive together are counted one by one', async () => {
  const { email } = await account(app)
  const answers = await statuses(
    Array.from({ length: 6 }, () => register(email, '2001:db8:0:1::1')),
  )
  assert.deepEqual(answers.toSorted(), [409, 409, 409, 429, 429, 429])
  assert.equal((await register(freeAddress(), '2001:db8:0:1::ffff')).status, 429)
})

test('a network registers so often in a day, and free addresses do not count as taken ones', async () => {
  const { email } = await account(app)
  for (let n = 1; n < LIMITS.registrationsPerNetwork; n += 1) {
    assert.equal((await register(freeAddress(), '192.0.2.3')).status, 201)
  }
  assert.equal((await register(email, '192.0.2.3')).status, 409)
  for (const address of [email, freeAddress()]) {
    const { status, body, headers } = await register(address, '192.0.2.3')
    assert.deepEqual([status, body.code], [429, 'limit_reached'])
    assert.ok(Number(headers['retry-after']) > HOUR_MS / SECOND_MS)
  }
  await app.advance(DAY_MS / SECOND_MS + 1)
  assert.equal((await register(freeAddress(), '192.0.2.3')).status, 201)
})

test('the owner of an address is mailed once a day that somebody tried to register it', async () => {
  const ada = await account(app)
  await register(ada.email, '192.0.2.4')
  await register(ada.email.toUpperCase(), '192.0.2.5')
  assert.equal(await noticesTo(ada.userId), 1)
  await until('the mail', async () => (await attemptsMailedTo(ada.email)).length === 1)
  await app.advance(DAY_MS / SECOND_MS + 1)
  await register(ada.email, '192.0.2.4')
  await until('another mail a day later', async () => {
    return (await attemptsMailedTo(ada.email)).length === 2
  })
  const { body } = await app.as((await ada.login()).body.accessToken).get('/v1/notifications')
  const kinds = body.data.map(({ kind }: { kind: string }) => kind)
  assert.ok(kinds.includes('registration_attempted'))
})

test('the address of a network is not stored with what it used', async () => {
  await register(freeAddress(), '192.0.2.6')
  const rows = await app.deps.database
    .of(app.tenantId)
    .selectFrom('users.allowances')
    .select('subject')
    .where('kind', 'like', 'network-%')
    .execute()
  assert.ok(rows.length > 0)
  for (const { subject } of rows) assert.match(subject, /^[\w-]{43}$/)
})

test('a registration stores company, VAT number, address and phone; a wrong number opens no account', async () => {
  const email = freeAddress()
  const address = { line1: '1 Quay', postcode: '75001', city: 'Paris', country: 'FR' }
  const details = { company: 'Ada SARL', vatNumber: 'FR40303265045', phone: '+33 1 23 45 67 89' }
  const wanted = { email, password: PASSWORD, name: 'Ada', address, ...details }
  const wrong = await app.post('/v1/auth/register', { ...wanted, vatNumber: 'DE1' })
  assert.equal(wrong.status, 422, wrong.text)
  const { status, body, text } = await app.post('/v1/auth/register', wanted)
  assert.equal(status, 201, text)
  const me = (await app.as(body.accessToken).get('/v1/users/me')).body
  const { company, vatNumber, phone } = me
  assert.deepEqual({ company, vatNumber, phone }, details)
  assert.deepEqual(me.address, { ...address, line2: null, region: null })
  assert.equal(me.vatStatus, 'unchecked')
  assert.deepEqual([me.termsVersion, me.termsAcceptedAt], [null, null])
})

test('a shop that is closed to new accounts registers nobody, whether the address is taken or not', async (t) => {
  const { email } = await account(app)
  await keepSettings(app, 'registration', { mode: 'closed' })
  t.after(() => keepSettings(app, 'registration', { mode: 'open' }))
  assert.equal((await app.get('/v1/meta')).body.registration, 'closed')
  for (const address of [email, freeAddress()]) {
    const { status, body } = await register(address, '192.0.2.7')
    assert.deepEqual([status, body.code], [403, 'registration_closed'])
  }
})

test('a shop with terms registers people who accept the newest version, and stores which one and when', async () => {
  const shopAdmin = await apiKey(app, await person(app, { admin: true }), {
    permission: 'read-write',
  })
  for (const version of [1, 2]) {
    const { body } = await shopAdmin.post('/v1/admin/legal-texts', {
      kind: 'terms',
      texts: { en: `Terms ${version}`, fr: `Conditions ${version}` },
    })
    assert.equal(body.version, version)
  }
  const wanted = { email: freeAddress(), password: PASSWORD, name: 'Ada', locale: 'fr' }
  for (const more of [{}, { acceptedTermsVersion: 1 }, { acceptedTermsVersion: 3 }]) {
    const { status, body } = await app.post('/v1/auth/register', { ...wanted, ...more })
    assert.deepEqual([status, body.code], [422, 'terms_not_accepted'])
  }
  const { body } = await app.post('/v1/auth/register', { ...wanted, acceptedTermsVersion: 2 })
  const me = (await app.as(body.accessToken).get('/v1/users/me')).body
  assert.deepEqual([me.termsVersion, me.termsLanguage], [2, 'fr'])
  assert.equal(me.termsAcceptedAt, me.createdAt)
})
