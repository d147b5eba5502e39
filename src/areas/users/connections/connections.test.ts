import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sealSetting } from '#tenants'
import { testApp, until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { discordServer } from '#test/discord.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

const discord = await discordServer()
const app = await testApp(null, {
  config: {
    discordUrl: discord.url,
    privateHosts: [`discord=${discord.host}`],
    trustProxy: ['127.0.0.1'],
  },
})
const PATH = '/v1/users/me/connections'
const CALLBACK = '/v1/auth/connections/discord/callback'

async function offerDiscord(tenantId = app.tenantId) {
  const key = { tenantId, section: 'connections', field: 'discordClientSecret' }
  const values = {
    discordClientId: discord.application.id,
    discordClientSecret: sealSetting(app.deps.secrets, key, discord.application.secret),
  }
  await keepSettings(app, 'connections', values, tenantId)
}
await offerDiscord()

let made = 10_000

function somebody() {
  made += 1
  return { id: `8035111022${made}`, username: `ada${made}` }
}

async function start(person: Person): Promise<string> {
  const { status, body, text } = await person.post(PATH, { provider: 'discord' })
  assert.equal(status, 201, text)
  return body.url
}

/** The browser follows where Discord sends it: what the page it ends on is told. */
async function comeBack(back: URL, headers: Record<string, string> = {}) {
  const answer = await app.get(back.pathname + back.search, { headers })
  assert.equal(answer.status, 303, answer.text)
  const page = new URL(answer.headers.location ?? '')
  assert.equal(page.origin + page.pathname, 'http://shop.test/account/security')
  return page.searchParams.get('outcome')
}

test('an account at Discord is linked, named, told of and given no token to keep', async () => {
  const ada = await person(app)
  const account = somebody()
  const back = discord.agree(await start(ada), account)
  assert.equal(back.origin + back.pathname, `http://shop.test${CALLBACK}`)
  assert.equal(await comeBack(back), 'connected')
  const { data } = (await ada.get(PATH)).body
  assert.equal(data.length, 1)
  assert.equal(data[0].accountId, account.id)
  assert.equal(data[0].name, account.username)
  assert.equal(discord.tokens.size, 0)
  await until('the notice', async () => {
    const { body } = await ada.get('/v1/notifications')
    return body.data.some(({ kind }: { kind: string }) => kind === 'account_connected')
  })
  assert.equal((await ada.post(PATH, { provider: 'discord' })).status, 409)
})

test('a state counts once', async () => {
  const ada = await person(app)
  const back = discord.agree(await start(ada), somebody())
  assert.equal(await comeBack(back), 'connected')
  assert.equal((await ada.delete(`${PATH}/discord`)).status, 200)
  assert.equal(await comeBack(back), 'expired')
  assert.deepEqual((await ada.get(PATH)).body.data, [])
})

test('a state that comes back late, changed, or from another address links nothing', async () => {
  const ada = await person(app)
  const url = await start(ada)
  const changed = discord.agree(url, somebody())
  changed.searchParams.set('state', `${changed.searchParams.get('state')}A`)
  assert.equal(await comeBack(changed), 'expired')
  const sent = discord.agree(url, somebody())
  assert.equal(await comeBack(sent, { 'x-forwarded-for': '192.0.2.7' }), 'expired')
  const late = discord.agree(await start(ada), somebody())
  await app.advance(601)
  assert.equal(await comeBack(late), 'expired')
  assert.deepEqual((await ada.get(PATH)).body.data, [])
})

test('a link begun in a session that has ended is not made', async () => {
  const ada = await person(app)
  const back = discord.agree(await start(ada), somebody())
  await app.post('/v1/auth/logout', { refreshToken: ada.refreshToken })
  assert.equal(await comeBack(back), 'expired')
})

test("a code of somebody else's flow does not fit the verifier of this one", async () => {
  const [ada, eve] = [await person(app), await person(app)]
  const stolen = discord.agree(await start(ada), somebody()).searchParams.get('code') ?? ''
  const back = discord.agree(await start(eve), somebody())
  back.searchParams.set('code', stolen)
  assert.equal(await comeBack(back), 'failed')
  assert.deepEqual((await eve.get(PATH)).body.data, [])
})

test('who does not agree comes back with nothing linked', async () => {
  const ada = await person(app)
  const back = discord.agree(await start(ada), somebody())
  back.searchParams.delete('code')
  back.searchParams.set('error', 'access_denied')
  assert.equal(await comeBack(back), 'denied')
  assert.equal(await comeBack(new URL(`http://shop.test${CALLBACK}`)), 'expired')
})

test('one account belongs to one person of a shop, and to another one in another shop', async () => {
  const account = somebody()
  const [ada, eve] = [await person(app), await person(app)]
  assert.equal(await comeBack(discord.agree(await start(ada), account)), 'connected')
  assert.equal(await comeBack(discord.agree(await start(eve), account)), 'taken')
  const tenantId = await otherTenant(app, 'second.test')
  await offerDiscord(tenantId)
  const grace = await person(app, { tenantId })
  const back = discord.agree(await start(grace), account)
  assert.equal(back.host, 'second.test')
  const there = clientFor(app.url, { host: 'second.test' })
  const answer = await there.get(back.pathname + back.search)
  assert.match(answer.headers.location ?? '', /^http:\/\/second\.test\/.*outcome=connected$/)
  assert.equal((await grace.get(PATH)).body.data[0].accountId, account.id)
})

test("a state of one shop is none of another's", async () => {
  const ada = await person(app)
  await otherTenant(app, 'third.test')
  const back = discord.agree(await start(ada), somebody())
  const there = clientFor(app.url, { host: 'third.test' })
  const answer = await there.get(back.pathname + back.search)
  assert.match(answer.headers.location ?? '', /outcome=expired$/)
  assert.equal(await comeBack(back), 'connected')
})

for (const status of [500, 401, 302]) {
  test(`a Discord that answers ${status} links nothing, and the next try does`, async () => {
    const ada = await person(app)
    const back = discord.agree(await start(ada), somebody())
    discord.fail(status)
    assert.equal(await comeBack(back), 'failed')
    discord.fail(null)
    assert.equal(await comeBack(discord.agree(await start(ada), somebody())), 'connected')
  })
}

test('a shop without an application at Discord links no accounts there', async () => {
  const tenantId = await otherTenant(app, 'fourth.test')
  const { status, body } = await (await person(app, { tenantId })).post(PATH, {
    provider: 'discord',
  })
  assert.equal(status, 422)
  assert.equal(body.code, 'connection_not_offered')
})

test('a key links accounts with the password only, and nobody removes what is not theirs', async () => {
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read-write' })
  assert.equal((await key.post(PATH, { provider: 'discord' })).status, 403)
  assert.equal((await ada.post(PATH, { provider: 'myspace' })).status, 400)
  assert.equal((await ada.delete(`${PATH}/discord`)).status, 404)
  assert.equal((await ada.delete(`${PATH}/myspace`)).status, 404)
})

test('the secret of the application does not stand readable in the database', async () => {
  const { rows } = await app.deps.database.execute(
    'select count(*)::int as found from tenants.settings s where s::text like $1',
    [`%${discord.application.secret}%`],
  )
  assert.deepEqual(rows, [{ found: 0 }])
})
