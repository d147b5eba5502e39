import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { billingShop } from '#test/billing-shop.ts'
import type { Answer } from '#test/client.ts'
import { person } from '#test/people.ts'

type Body = Answer['body']

const shop = await billingShop()
const { admin, app, gatewayId } = shop

/** An issued invoice that waits for its payment. */
async function unpaid(): Promise<string> {
  const { userId } = await shop.buyer()
  const draft = await admin.post('/v1/admin/invoices', {
    userId,
    lines: [{ description: 'Setting up', unitPriceCents: 4200 }],
  })
  assert.equal(draft.status, 201, draft.text)
  const issued = await admin.post(`/v1/admin/invoices/${draft.body.id}/issue`)
  assert.equal(issued.status, 200, issued.text)
  return draft.body.id
}

const bulk = (body: object, who = admin) =>
  who.post('/v1/admin/invoices/bulk', { action: 'mark_paid', ...body })
const outcomes = ({ body }: Answer) => body.rows.map(({ outcome }: Body) => outcome)
const statusOf = async (id: string) => (await admin.get(`/v1/admin/invoices/${id}`)).body.status

test('invoices of one statement are marked as paid at once, each with a payment of its own', async () => {
  const [one, two, unknown] = [await unpaid(), await unpaid(), newId()]
  const wanted = { ids: [one, unknown, two], gatewayId, reference: 'Statement 12' }
  const tried = await bulk({ ...wanted, dryRun: true })
  assert.deepEqual(outcomes(tried), ['done', 'failed', 'done'], tried.text)
  assert.equal(await statusOf(one), 'open', 'a dry run books nothing')
  assert.deepEqual(outcomes(await bulk(wanted)), ['done', 'failed', 'done'])
  assert.deepEqual([await statusOf(one), await statusOf(two)], ['paid', 'paid'])
  assert.deepEqual(outcomes(await bulk(wanted)), ['unchanged', 'failed', 'unchanged'])
  const { body } = await admin.get(`/v1/admin/payments?invoiceId=${one}`)
  assert.deepEqual(
    body.data.map(({ providerPaymentId }: Body) => providerPaymentId),
    [`Statement 12 ${one}`],
  )
  await shop.assertSound()
})

test('a gateway and a reference are required, and the permission to change invoices', async () => {
  const id = await unpaid()
  for (const missing of [{ gatewayId }, { reference: 'Statement 13' }]) {
    assert.equal((await bulk({ ids: [id], ...missing })).status, 400)
  }
  const wanted = { ids: [id], reference: 'Statement 13' }
  assert.equal((await bulk({ ...wanted, gatewayId: newId() })).status, 404)
  assert.equal(await statusOf(id), 'open')
  const clerk = await person(app, { permissions: ['invoices:read'] })
  assert.equal((await bulk({ ...wanted, gatewayId }, clerk)).status, 403)
})
