import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payTokenOf } from '#notifications'
import { until } from '#test/app.ts'
import { camtStatement } from '#test/bank-files.ts'
import { billingShop } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { receiver } from '#test/receiver.ts'
import { Browser, givePassword, register, relyingParty, signInFor } from '#test/relying-party.ts'

/** Operations that other tests rarely call, each with existing objects. */
const METRICS = 'a-metrics-token-that-is-long-enough-to-be-one'
const target = await receiver(null)
const shop = await gameShop({
  config: { metricsToken: METRICS, privateHosts: [target.place] },
})
const { app, admin } = shop
const ada = await shop.customer()
const { plan } = await shop.server({ name: 'Minecraft 4 GB' }, { priceCents: 1200 })
const placed = await shop.buy(ada, plan.id)
const service = await shop.serviceBecame(ada, 'active')
const invoiceId: string = placed.invoice.id

async function ok(answer: Promise<Answer>, status = 200): Promise<Answer['body']> {
  const { status: given, body, text } = await answer
  assert.equal(given, status, text)
  return body
}

test('lists and single objects of staff have the same fields', async () => {
  await ok(admin.post(`/v1/admin/invoices/${invoiceId}/refund`, { amountCents: 300 }))
  await ok(admin.post('/v1/admin/rbac/groups', { name: 'Support' }), 201)
  const news = { kind: 'news', title: { en: 'News' }, body: { en: 'Text' } }
  await admin.post('/v1/admin/announcements', news)
  for (const path of ['orders', 'refunds', 'rbac/groups', 'rbac/roles', 'mails']) {
    const { data } = await ok(admin.get(`/v1/admin/${path}`))
    assert.ok(data.length > 0, path)
    const one = await ok(admin.get(`/v1/admin/${path}/${data[0].id}`))
    assert.equal(one.id, data[0].id, path)
  }
  const [group] = (await ok(admin.get('/v1/admin/rbac/groups'))).data
  const changed = await ok(admin.patch(`/v1/admin/rbac/groups/${group.id}`, { name: 'Level 1' }))
  assert.equal(changed.name, 'Level 1')
  for (const path of ['announcements', 'imports', 'bank-statements', 'jobs', 'bot/role-mappings']) {
    assert.ok(Array.isArray((await ok(admin.get(`/v1/admin/${path}`))).data), path)
  }
})

test('a bank statement is listed and read', async () => {
  const bank = { driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true }
  const settings = { holder: 'Host', iban: 'DE02120300000000202051' }
  const gateway = await ok(admin.post('/v1/admin/gateways', { ...bank, settings }), 201)
  const content = camtStatement([{ amount: '12.00', text: 'Rent' }])
  const file = { gatewayId: gateway.id, format: 'camt.053', content }
  const { id } = await ok(admin.post('/v1/admin/bank-statements', file), 201)
  assert.equal((await ok(admin.get('/v1/admin/bank-statements'))).data[0].id, id)
  assert.equal((await ok(admin.get(`/v1/admin/bank-statements/${id}`))).id, id)
})

test('the audit log is verified and exported', async () => {
  assert.equal((await ok(admin.get('/v1/admin/audit-logs/verify'))).valid, true)
  const { text, headers } = await admin.get('/v1/admin/audit-logs/export')
  assert.match(String(headers['content-type']), /csv/)
  assert.ok(text.split('\n').length > 2)
})

test('a customer sees a payment, and comes back from the provider', async () => {
  const payment = await ok(ada.get(`/v1/billing/payments/${placed.payment.id}`))
  assert.equal(payment.status, 'paid')
  const back = await app.get(`/v1/billing/return/${placed.payment.id}`)
  assert.equal(back.status, 303, back.text)
})

test('a credit note is a PDF and an XML document for staff', async () => {
  const refund = { amountCents: 200 }
  const { creditNote } = await ok(admin.post(`/v1/admin/invoices/${invoiceId}/refund`, refund))
  for (const kind of ['pdf', 'xml']) {
    const { status, headers } = await until(`the ${kind}`, async () => {
      const answer = await admin.get(`/v1/admin/credit-notes/${creditNote.id}/${kind}`)
      return answer.status === 200 && answer
    })
    assert.deepEqual([status, headers['content-type']?.includes(kind)], [200, true])
  }
})

test('an invoice is read and paid by the link of its mail', async () => {
  const billing = await billingShop()
  const invoice = await billing.invoice(await billing.buyer(), { totalCents: 1200 })
  const path = `/v1/billing/payment-links/${payTokenOf(billing.app.deps.secrets, invoice.id)}`
  const shown = await ok(billing.app.get(path))
  assert.deepEqual([shown.status, shown.dueCents], ['open', 1200])
  const { gatewayId } = billing
  const payment = await ok(billing.app.post(`${path}/pay`, { gatewayId }))
  assert.deepEqual([payment.status, payment.amountCents], ['open', 1200])
})

test('news and legal texts are listed as they were published', async () => {
  const texts = { en: { title: 'A new harbour', body: 'It opens on Monday.' } }
  await ok(admin.post('/v1/admin/announcements', { texts, public: true }), 201)
  const news = await ok(app.get('/v1/news'))
  assert.equal(news.data[0].title, 'A new harbour')
  await ok(admin.post('/v1/admin/legal-texts', { kind: 'terms', texts: { en: '# Terms' } }), 201)
  const published = await ok(admin.get('/v1/admin/legal-texts'))
  assert.equal(published.data[0].kind, 'terms')
})

test('an endpoint is sent a ping', async () => {
  const url = { url: `${target.url}/all` }
  const { id } = await ok(admin.post('/v1/admin/webhook-endpoints', url), 201)
  await ok(admin.post(`/v1/admin/webhook-endpoints/${id}/test`))
  const { body } = await app.eventually('the ping', () => target.at('/all')[0])
  assert.equal(JSON.parse(body).type, 'endpoint.ping')
})

test('the metrics, the document and the reference are served', async () => {
  const { text } = await app.as(METRICS).get('/v1/metrics')
  assert.match(text, /^# HELP/)
  for (const path of ['/v1/openapi.json', '/v1/docs', '/v1/openapi.json?examples=true']) {
    await ok(app.get(path))
  }
})

test('the clock of a test moves when staff says so', async () => {
  const before = app.deps.clock.now()
  await ok(admin.post('/v1/admin/clock', { advanceSeconds: 60 }))
  assert.ok(app.deps.clock.now() > before)
})

test('staff reads what the daemon reported of a server', async () => {
  const { status } = await admin.get(`/v1/admin/services/${service.id}/report`)
  assert.ok(status === 200 || status === 404)
})

test('a person ends all other sessions', async () => {
  const { userId } = ada
  await givePassword(app, userId)
  const credentials = { email: ada.email, password: 'a long enough password' }
  const signIn = () => ok(app.post('/v1/auth/login', credentials))
  const [first, second] = [await signIn(), await signIn()]
  await ok(app.as(second.accessToken).delete('/v1/users/me/sessions'))
  assert.equal((await app.as(first.accessToken).get('/v1/users/me')).status, 401)
})

test('an application gets tokens, asks about them and gives them back', async () => {
  const client = await register(admin, { name: 'Community forum' })
  const forum = await relyingParty(app, client)
  const tokens = await signInFor(forum, new Browser(app), ada.email)
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
  const form = (path: string, fields: Record<string, string>) =>
    app.request('POST', `/v1/oidc/${path}`, undefined, {
      raw: new URLSearchParams(fields).toString(),
      headers: {
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
  await ok(app.get('/v1/oidc/.well-known/openid-configuration'))
  assert.ok((await ok(app.as(tokens.access_token).post('/v1/oidc/userinfo'))).sub)
  assert.equal((await ok(form('introspection', { token: tokens.access_token }))).active, true)
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
  const renewed = await ok(form('token', refresh))
  assert.ok(renewed.access_token)
  assert.ok((await form('revocation', { token: renewed.access_token })).status < 300)
  assert.equal((await ok(form('introspection', { token: renewed.access_token }))).active, false)
})
