import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#test/accounts.ts'
import type { Answer, Client } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

type Hit = { id: string; title: string; exact: boolean; customerName: string | null }
type Found = { jump: { kind: string; id: string } | null; groups: { kind: string; hits: Hit[] }[] }

const shop = await gameShop()
const { app, admin } = shop
const { plan } = await shop.server()
const zoe = await person(app, { email: 'zoe.moreau@mail.aquarium.example', name: 'Zoé Möreau' })
await admin.patch(`/v1/admin/users/${zoe.userId}`, { company: 'Étoile Filante SARL' })
const buyer = await shop.customer()
const placed = await shop.buy(buyer, plan.id)
const service = await shop.serviceBecame(buyer, 'active')
await shop.quiet()

async function search(q: string, by: Client = admin): Promise<Found> {
  const { status, body, text }: Answer = await by.get(`/v1/admin/search?q=${encodeURIComponent(q)}`)
  assert.equal(status, 200, text)
  return body
}

const idsOf = ({ groups }: Found, kind: string) =>
  groups.find((it) => it.kind === kind)?.hits.map(({ id }) => id) ?? []

for (const q of ['aquarium', 'AQUARIUM.example', 'zoe mor', 'moreau zoé', 'Zoé', 'etoile fil']) {
  test(`a person is found by "${q}"`, async () => {
    assert.deepEqual(idsOf(await search(q), 'person'), [zoe.userId])
  })
}

for (const q of ['quarium', 'moreau ada', '---', '%', '_oe']) {
  test(`no person is found by "${q}"`, async () => {
    assert.deepEqual(idsOf(await search(q), 'person'), [])
  })
}

test('a company is found by the words of its name, and not by those of its owner', async () => {
  assert.deepEqual(idsOf(await search('filante'), 'company'), [zoe.userId])
  assert.deepEqual(idsOf(await search('aquarium'), 'company'), [])
})

test('a renamed person is found only by the new name', async () => {
  const ivy = await person(app, { name: 'Ivy Quillfeather' })
  assert.deepEqual(idsOf(await search('quillf'), 'person'), [ivy.userId])
  await admin.patch(`/v1/admin/users/${ivy.userId}`, { name: 'Ivy Underwood' })
  assert.deepEqual(idsOf(await search('quillf'), 'person'), [])
  assert.deepEqual(idsOf(await search('underw'), 'person'), [ivy.userId])
})

test('ids, numbers and references of a sale are exact matches and come first', async () => {
  const order = (await admin.get(`/v1/admin/orders/${placed.order.id}`)).body
  const invoice = (await admin.get(`/v1/admin/invoices/${order.invoiceId}`)).body
  const payment = await shop.db.selectFrom('billing.payments').selectAll().executeTakeFirstOrThrow()
  const wanted = [
    ['order', order.number, order.id],
    ['order', order.number.replace('ORD-', ''), order.id],
    ['order', order.id, order.id],
    ['invoice', invoice.number.toLowerCase(), invoice.id],
    ['invoice', invoice.id, invoice.id],
    ['payment', payment.providerPaymentId, payment.id],
    ['service', service.id, service.id],
    ['service', service.panel.identifier, service.id],
    ['person', buyer.email, buyer.userId],
  ] as const
  for (const [kind, q, id] of wanted) {
    const found = await search(q)
    assert.deepEqual(found.jump, { kind, id }, q)
    assert.equal(found.groups[0]?.kind, kind, q)
    assert.equal(found.groups[0]?.hits.find((it) => it.id === id)?.customerName, 'Ada Lovelace')
  }
  assert.ok(idsOf(await search(invoice.number.slice(0, 8)), 'invoice').includes(invoice.id))
  assert.ok(idsOf(await search(service.panel.address), 'service').includes(service.id))
})

test('a document is found by the beginning of its number, in any case', async () => {
  const { invoiceId } = (await admin.get(`/v1/admin/orders/${placed.order.id}`)).body
  const { number } = (await admin.get(`/v1/admin/invoices/${invoiceId}`)).body
  const { order } = await shop.buy(await shop.customer(), plan.id)
  await shop.quiet()
  const other = (await admin.get(`/v1/admin/orders/${order.id}`)).body
  const path = `/v1/admin/invoices/${other.invoiceId}/credit-note`
  const noted = await admin.post(path, { reason: 'Sorry' })
  assert.equal(noted.status, 200, noted.text)
  for (const [kind, whole, id] of [
    ['order', placed.order.number, placed.order.id],
    ['invoice', number, invoiceId],
    ['credit_note', noted.body.creditNote.number, noted.body.creditNote.id],
  ]) {
    for (const q of [whole.slice(0, -1), whole.slice(0, -1).toLowerCase()]) {
      assert.ok(idsOf(await search(q), kind).includes(id), `${kind} by ${q}`)
    }
  }
})

test('a group has at most eight hits', async () => {
  for (let count = 0; count < 10; count += 1) await person(app, { name: `Crowd ${count}` })
  assert.equal(idsOf(await search('crowd'), 'person').length, 8)
})

test('coupons are found by a prefix of their code', async () => {
  const made = await admin.post('/v1/admin/coupons', {
    ...{ code: 'HARVEST10', type: 'percent', percentBasisPoints: 1000, duration: 'once' },
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(idsOf(await search('harv'), 'coupon'), [made.body.id])
  assert.deepEqual((await search('harvest10')).jump, { kind: 'coupon', id: made.body.id })
})

test('staff find only what they may see', async () => {
  const { number } = placed.order
  const clerk = await person(app, { permissions: ['services:read'] })
  assert.deepEqual((await search(number, clerk)).groups, [])
  assert.deepEqual((await search('aquarium', clerk)).groups, [])
  assert.deepEqual((await search(service.id, clerk)).jump, { kind: 'service', id: service.id })
  const seller = await person(app, { permissions: ['orders:read'] })
  assert.deepEqual((await search(number, seller)).jump, { kind: 'order', id: placed.order.id })
})

test('another shop finds nothing of this one, and a customer may not search', async () => {
  const tenantId = await otherTenant(app, 'search.test')
  const foreigner = await person(app, { tenantId, admin: true })
  for (const q of ['aquarium', placed.order.id, service.id, placed.order.number, 'etoile']) {
    assert.deepEqual(await search(q, foreigner), { jump: null, groups: [] }, q)
  }
  assert.equal((await buyer.get('/v1/admin/search?q=a')).status, 403)
  assert.equal((await admin.get('/v1/admin/search?q=')).status, 400)
})

test('a person whose account was deleted is no longer found', async () => {
  const given = { name: 'Gone Tomorrow', email: 'gone@tomorrow.example', password: PASSWORD }
  const { accessToken, user } = (await app.post('/v1/auth/register', given)).body
  const leaving = { ...app.as(accessToken), userId: user.id }
  assert.deepEqual(idsOf(await search('tomorrow'), 'person'), [leaving.userId])
  const ended = await leaving.delete('/v1/users/me', { password: PASSWORD })
  assert.equal(ended.status, 200, ended.text)
  assert.deepEqual((await search('tomorrow')).groups, [])
  const terms = await shop.db
    .selectFrom('users.search_terms')
    .selectAll()
    .where('userId', '=', leaving.userId)
    .execute()
  assert.deepEqual(terms, [])
})
