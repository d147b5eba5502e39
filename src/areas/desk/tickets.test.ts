import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, type Person, person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin } = shop
const clerk = await person(app, { permissions: ['tickets:read'] })
const insider = await person(app, { permissions: ['tickets:read'] })
const ada = await shop.customer()

const opened = async (subject: string, body: object = {}): Promise<Body> => {
  const answer = await ada.post('/v1/tickets', { subject, body: 'Hello', ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const waitingFor = async (who: Person) =>
  (await who.get('/v1/admin/attention')).body.items.find((it: Body) => it.kind === 'ticket')
const found = async (q: string, who: Person): Promise<Body> =>
  (await who.get(`/v1/admin/search?q=${encodeURIComponent(q)}`)).body

test('tickets that wait for staff need attention, with the oldest, until they are answered', async () => {
  assert.equal(await waitingFor(admin), undefined)
  const first = await opened('Lag')
  await app.advance(60)
  const second = await opened('Crash')
  const { count, oldestAt, tone } = await waitingFor(clerk)
  assert.deepEqual([count, oldestAt, tone], [2, first.createdAt, 'waiting'])
  const url = (id: string) => `/v1/admin/tickets/${id}`
  await admin.post(`${url(first.id)}/messages`, {
    kind: 'public',
    body: 'Better now?',
    force: true,
  })
  assert.deepEqual((await waitingFor(admin)).oldestAt, second.createdAt)
  await admin.post(`${url(second.id)}/hold`, {})
  assert.equal(await waitingFor(admin), undefined, 'one on hold does not wait')
})

test('a ticket is found by its number, also as it is misread, and by its id', async () => {
  const { id, number, subject } = await opened('A strange noise')
  const misread = number.replace('T-', 't').replaceAll('0', 'o').toLowerCase()
  for (const q of [number, number.slice(2), misread, id]) {
    const { jump, groups } = await found(q, clerk)
    assert.deepEqual(jump, { kind: 'ticket', id }, q)
    const [hit] = groups[0].hits
    assert.deepEqual(
      [hit.title, hit.detail, hit.status, hit.userId, hit.customerName],
      [number, subject, 'open', ada.userId, ada.name],
    )
  }
  assert.deepEqual((await found('T-00000000', clerk)).groups, [])
})

test('tickets of a department of other groups are neither counted nor found', async () => {
  const before = (await waitingFor(clerk))?.count ?? 0
  const group = await admin.post('/v1/admin/rbac/groups', {
    ...{ name: 'Billing', memberIds: [insider.userId] },
  })
  const made = await admin.post('/v1/admin/departments', {
    ...{ names: { en: 'Billing' }, groupIds: [group.body.id] },
  })
  assert.equal(made.status, 201, made.text)
  const { id, number } = await opened('Refund me', { departmentId: made.body.id })
  assert.deepEqual((await found(number, clerk)).groups, [])
  assert.deepEqual((await found(number, insider)).jump, { kind: 'ticket', id })
  assert.equal((await waitingFor(clerk))?.count ?? 0, before)
  assert.equal((await waitingFor(insider)).count, before + 1)
})

test('without the permission for tickets, and in another shop, there are none', async () => {
  const { number } = await opened('Only for support')
  const other = await person(app, { tenantId: await otherTenant(app, 'tickets.test'), admin: true })
  const biller = await person(app, { permissions: ['invoices:read'] })
  for (const who of [other, biller]) {
    assert.equal(await waitingFor(who), undefined)
    assert.deepEqual((await found(number, who)).groups, [])
  }
})
