import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import { type Client, clientFor } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { type Person, person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const shop = await gameShop()
const { app, db, panel, sdk } = shop
const { plan } = await shop.server()
const { token } = (await panel.post('keys', {})) as { token: string }
const onPanel = clientFor(panel.url, { authorization: `Bearer ${token}` })

type PanelUser = { id: number; email: string; username: string; first_name: string }

async function panelUsers(): Promise<PanelUser[]> {
  const { body } = await onPanel.get('/api/application/users?per_page=100')
  return body.data.map((it: { attributes: PanelUser }) => it.attributes)
}

const panelUserOf = async (email: string) => (await panelUsers()).find((it) => it.email === email)

/** Somebody with a service that has ended, a panel account and a customer at the provider. */
async function leaver(how: { serverGone: boolean }): Promise<{ ada: Person; customerId: string }> {
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  const { id } = await shop.serviceBecame(ada, 'active')
  await shop.quiet()
  await app.deps.database.execute(
    `update services.services set ended_at = now(), end_reason = 'canceled' where id = $1`,
    [id],
  )
  const { serverId } = await db
    .selectFrom('services.services')
    .select('serverId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (how.serverGone)
    assert.equal((await onPanel.delete(`/api/application/servers/${serverId}`)).status, 204)
  assert.ok(await panelUserOf(ada.email))
  const { providerCustomerId: customerId } = await db
    .selectFrom('billing.provider_customers')
    .select('providerCustomerId')
    .where('userId', '=', ada.userId)
    .executeTakeFirstOrThrow()
  return { ada, customerId }
}

/** Deletes an account, signed in with the password. */
async function leave(ada: Person): Promise<void> {
  await givePassword(app, ada.userId)
  const { body } = await app.post('/v1/auth/login', { email: ada.email, password: PASSWORD })
  const me: Client = app.as(body.accessToken)
  const { status, text } = await me.delete('/v1/users/me', { password: PASSWORD })
  assert.equal(status, 200, text)
}

async function panelsOf({ userId }: Person) {
  return db.selectFrom('services.panel_accounts').where('userId', '=', userId).selectAll().execute()
}

const isDeletedAtProvider = async (customerId: string) =>
  Boolean((await sdk.customers.retrieve(customerId)).deleted)

test('who deletes their account is deleted on the panel and at the provider', async () => {
  const { ada, customerId } = await leaver({ serverGone: true })
  const account = await panelUserOf(ada.email)
  await leave(ada)
  await until('the panel account is gone', async () => {
    return !(await panelUsers()).some(({ id }) => id === account?.id)
  })
  await until('the customer is gone', () => isDeletedAtProvider(customerId))
  await until('nothing is known of the account', async () => (await panelsOf(ada)).length === 0)
})

test('a panel account that still owns a server stays without name and address', async () => {
  const { ada } = await leaver({ serverGone: false })
  const account = await panelUserOf(ada.email)
  await leave(ada)
  await until('nothing is known of the account', async () => (await panelsOf(ada)).length === 0)
  const left = (await panelUsers()).find(({ id }) => id === account?.id)
  assert.equal(left?.email, `deleted-${ada.userId}@invalid`)
  assert.equal(left?.first_name, 'Deleted')
  assert.match(left?.username ?? '', /^deleted-/)
})

test('a panel and a provider that are away keep nobody here, and hear of it later', async () => {
  const { ada, customerId } = await leaver({ serverGone: true })
  const account = await panelUserOf(ada.email)
  await panel.fault('DELETE /api/application/users/{id}', 'html-502')
  await panel.fault('GET /api/application/users/external/{id}', 'html-502')
  await shop.control('faults', { route: 'DELETE /v1/customers/{customer}', kind: '500-before' })
  await leave(ada)
  await until('the panel account is gone', async () => {
    return !(await panelUsers()).some(({ id }) => id === account?.id)
  })
  await until('the customer is gone', () => isDeletedAtProvider(customerId))
  assert.ok((await panel.calls('GET', /\/users\/external\//)) > 1)
})

test('what the provider says of the deleted customer is not kept', async () => {
  const { ada, customerId } = await leaver({ serverGone: true })
  await leave(ada)
  await until('the customer is gone', () => isDeletedAtProvider(customerId))
  await until('it was told', async () => {
    const told = await db
      .selectFrom('billing.provider_events')
      .select('state')
      .where('type', '=', 'customer.deleted')
      .where('objectId', '=', customerId)
      .execute()
    return told.some(({ state }) => state === 'done')
  })
  const { rows } = await app.deps.database.execute(
    `select type from billing.provider_events where envelope like '%' || $1 || '%'`,
    [ada.email],
  )
  assert.deepEqual(rows, [])
})

test('who had a part in somebody else’s server is taken out of it on the panel', async () => {
  const owner = await shop.customer()
  await shop.buy(owner, plan.id)
  const { id } = await shop.serviceBecame(owner, 'active')
  const friend = await person(app)
  const wanted = { email: friend.email, permissions: ['power'] }
  const { body } = await owner.post(`/v1/services/${id}/invitations`, wanted)
  assert.equal((await friend.post(`/v1/invitations/${body.token}/accept`)).status, 200)
  const own = () =>
    db
      .selectFrom('services.panel_subusers')
      .selectAll()
      .where('userId', '=', friend.userId)
      .executeTakeFirst()
  await until('the panel knows them', async () => (await own())?.subuserUuid)
  const before = await panel.calls('DELETE', /\/api\/client\/servers\/[^/]+\/users\/[^/]+$/)
  await leave(friend)
  const left = await own()
  assert.ok(left === undefined || left.email === `deleted-${friend.userId}@invalid`)
  await until('the panel forgot them', async () => (await own()) === undefined)
  const after = await panel.calls('DELETE', /\/api\/client\/servers\/[^/]+\/users\/[^/]+$/)
  assert.equal(after - before, 1)
})

test('what was typed as an option is forgotten with the account, and what it cost stays', async () => {
  const { admin, gatewayId } = shop
  const { product, plan: sized } = await shop.server()
  const { body: group } = await admin.post('/v1/admin/option-groups', {
    ...{ name: 'Extras', productIds: [product.id] },
  })
  const price = { interval: 'month', currency: 'EUR', priceCents: 100 }
  const { status, text } = await admin.post('/v1/admin/options', {
    ...{ groupId: group.id, key: 'sign', kind: 'text', name: 'Sign', maxLength: 40 },
    prices: [price],
  })
  assert.equal(status, 201, text)
  const ada = await shop.customer()
  await ada.post('/v1/cart/items', { planId: sized.id, options: { sign: 'Adas Castle' } })
  const { body } = await checkOut(ada, { gatewayId })
  await shop.complete(body.payment.redirectUrl)
  const { id, components } = await shop.serviceBecame(ada, 'active')
  assert.equal(components[0].priceCents, 100)
  await shop.quiet()
  await ada.post(`/v1/services/${id}/cancel`, { at: 'now' })
  await until('its server is deleted', async () => {
    const [found] = await app.deps.database
      .of(app.tenantId)
      .selectFrom('services.services')
      .select(['endedAt', 'nextInvoiceAt'])
      .where('id', '=', id)
      .execute()
    return found?.endedAt != null
  })
  await leave(ada)
  for (const table of ['services.services', 'services.periods'] as const) {
    const rows = await db.selectFrom(table).select('components').execute()
    const kept = rows.flatMap((row) => row.components).filter(({ key }) => key === 'sign')
    assert.deepEqual(
      kept.map((it) => [it.text, it.label, it.priceCents]),
      [[null, '', 100]],
      table,
    )
  }
})
