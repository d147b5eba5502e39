import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { apiKey, type Person, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

const app = await testApp(null, { config: { trustProxy: ['127.0.0.1'] } })
/** By a key, which outlives every movement of the clock. */
const admin = await apiKey(app, await person(app, { admin: true }), { permission: 'read-write' })
const DAY = 24 * 3600

afterEach(() => keepSettings(app, 'affiliation', {}))

async function affiliate(): Promise<Person & { id: string; code: string }> {
  const made = await person(app)
  const { status, body, text } = await made.post('/v1/affiliation')
  assert.equal(status, 201, text)
  return { ...made, id: body.id, code: body.code }
}

/** Whoever registered has been looked at. */
function idle() {
  return until('no job waits', async () => {
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as count from jobs.job
       where state in ('created', 'retry', 'active') and name like 'affiliation.%'`,
    )
    return rows[0]?.count === 0
  })
}

const FROM = (address: string) => ({ headers: { 'x-forwarded-for': address } })
let made = 0

async function register(extra: object, address: string): Promise<string> {
  made += 1
  const login = { email: `visitor${made}@example.org`, password: 'correct horse battery' }
  const wanted = { ...login, name: 'Visitor', ...extra }
  const { status, body, text } = await app.post('/v1/auth/register', wanted, FROM(address))
  assert.equal(status, 201, text)
  await idle()
  const { body: found } = await admin.get(`/v1/admin/referrals?userId=${body.user.id}`)
  return found.data[0]?.affiliateId ?? null
}

async function click(code: string, address: string, visitorToken?: string) {
  const body = { code, ...(visitorToken && { visitorToken }) }
  const answer = await app.post('/v1/affiliation/visits', body, FROM(address))
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

test('the last click counts, or the first where that is set; a code beats both (R6.1)', async () => {
  const [ada, eve, kim] = [await affiliate(), await affiliate(), await affiliate()]
  const { visitorToken } = await click(ada.code, '198.51.100.1')
  await click(eve.code.toLowerCase(), '198.51.100.1', visitorToken)
  assert.equal(await register({ visitorToken }, '198.51.100.1'), eve.id)
  await keepSettings(app, 'affiliation', { touch: 'first' })
  assert.equal(await register({ visitorToken }, '198.51.100.1'), ada.id)
  const typed = { visitorToken, referralCode: ` ${kim.code.toLowerCase()}` }
  assert.equal(await register(typed, '198.51.100.1'), kim.id)
  const unknown = { visitorToken, referralCode: 'NOBODYS1' }
  assert.equal(await register(unknown, '198.51.100.1'), ada.id)
  await admin.post(`/v1/admin/affiliates/${ada.id}/suspend`)
  assert.equal(await register({ visitorToken }, '198.51.100.1'), eve.id)
  await app.advance(31 * DAY)
  assert.equal(await register({ visitorToken }, '198.51.100.1'), null)
  await app.advance(DAY)
  await app.eventually('old clicks are forgotten', async () => {
    const { rows } = await app.deps.database.execute('select from affiliation.visits')
    return rows.length === 0
  })
})

test('who registers where the affiliate was within a day is flagged; a proxy is no place', async () => {
  const ada = await affiliate()
  for (const [address, flagged] of [
    ['127.0.0.1', false],
    ['198.51.100.44', true],
  ] as const) {
    await app.deps.database.execute(
      'update users.sessions set address = $2, refreshed_at = $3 where user_id = $1',
      [ada.userId, address, app.deps.clock.now()],
    )
    await register({ referralCode: ada.code }, address)
    const { body } = await admin.get(`/v1/admin/referrals?affiliateId=${ada.id}`)
    assert.equal(body.data[0].sharedOrigin, flagged, address)
  }
})

test('robots, unknown codes and floods leave no click, and are answered like everybody', async () => {
  const ada = await affiliate()
  const kept = async () => {
    const sql = 'select count(*)::int as count from affiliation.visits where affiliate_id = $1'
    return (await app.deps.database.execute(sql, [ada.id])).rows[0]?.count
  }
  const code = ada.code
  const robot = { headers: { 'user-agent': 'Discordbot/2.0', 'x-forwarded-for': '198.51.100.9' } }
  const seen = await app.post('/v1/affiliation/visits', { code }, robot)
  const unknown = await click('NOBODYS1', '198.51.100.9')
  const known = await click(code, '198.51.100.9')
  assert.deepEqual(Object.keys(seen.body), Object.keys(known))
  assert.deepEqual(Object.keys(unknown), Object.keys(known))
  assert.equal(await kept(), 1)
  for (let count = 0; count < 25; count += 1) await click(code, '198.51.100.9')
  assert.equal(await kept(), 20)
  await click(code, '198.51.100.10')
  assert.equal(await kept(), 21)
  const hashes = await app.deps.database.execute('select v::text as row from affiliation.visits v')
  assert.doesNotMatch(JSON.stringify(hashes.rows), /198\.51/)
})

test('clicks are counted by day, and the counts stay when the clicks are deleted', async () => {
  const ada = await affiliate()
  const counts = async () => {
    const { body } = await admin.get(`/v1/admin/affiliates/${ada.id}`)
    const listed = await admin.get(`/v1/admin/affiliates?code=${ada.code}`)
    assert.deepEqual(listed.body.data, [body])
    return [body.clickCount, body.recentClickCount, body.referralCount, body.orderCount]
  }
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  const { visitorToken } = await click(ada.code, '198.51.100.71')
  await click(ada.code, '198.51.100.71', visitorToken)
  const robot = { headers: { 'user-agent': 'Discordbot/2.0' } }
  await app.post('/v1/affiliation/visits', { code: ada.code }, robot)
  assert.deepEqual(await counts(), [2, 2, 0, 0])
  const { body: own } = await ada.get('/v1/affiliation')
  assert.deepEqual([own.clickCount, own.recentClickCount], [2, 2])
  await app.advance(29 * DAY)
  await click(ada.code, '198.51.100.72')
  assert.deepEqual(await counts(), [3, 3, 0, 0])
  await app.advance(DAY)
  assert.deepEqual(await counts(), [3, 1, 0, 0])
  await app.advance(32 * DAY)
  await app.eventually('old clicks are forgotten', async () => {
    const sql = 'select from affiliation.visits where affiliate_id = $1'
    return (await app.deps.database.execute(sql, [ada.id])).rows.length === 0
  })
  assert.deepEqual(await counts(), [3, 0, 0, 0])
})

test('who is enrolled is not enrolled again, and who is not has nothing to see', async () => {
  const ada = await affiliate()
  assert.equal((await ada.post('/v1/affiliation')).body.code, 'already_enrolled')
  const eve = await person(app)
  for (const path of ['', '/referrals', '/commissions']) {
    assert.equal((await eve.get(`/v1/affiliation${path}`)).status, 404, path)
  }
  assert.equal((await eve.post('/v1/affiliation/convert')).status, 404)
  const { body } = await admin.get(`/v1/admin/affiliates?code=${ada.code.toLowerCase()}`)
  assert.deepEqual(
    body.data.map((it: { id: string }) => it.id),
    [ada.id],
  )
})
