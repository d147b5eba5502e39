import assert from 'node:assert/strict'
import { until } from './app.ts'
import type { BillingShop } from './billing-shop.ts'
import type { Answer, Client } from './client.ts'
import type { Person } from './people.ts'

/**
 * Orders what is in a customer's cart, as consumers of the EU do who want it at once: with the request to
 * begin before the time to withdraw is over. `how` may say otherwise.
 */
export function checkOut(
  customer: Pick<Client, 'post'>,
  how: object = {},
  options?: Parameters<Client['post']>[2],
): Promise<Answer> {
  return customer.post('/v1/billing/checkout', { immediateStart: true, ...how }, options)
}

/** Sets limits of a person on what they may have before they pay, as staff do. */
export async function allow(
  admin: Pick<Client, 'patch'>,
  { userId }: Pick<Person, 'userId'>,
  limits: object,
): Promise<void> {
  const { status, text } = await admin.patch(`/v1/admin/users/${userId}/allowance`, limits)
  assert.equal(status, 200, text)
}

/** Saves a card of a customer on the provider's page, and waits until it is known. */
export async function saveCard(
  shop: Pick<BillingShop, 'complete'>,
  customer: Person,
  card = 'pm_card_visa',
): Promise<void> {
  const { status, body, text } = await customer.post('/v1/billing/setup-intent', {})
  assert.equal(status, 201, text)
  await shop.complete(body.url, { card })
  await until('the card is saved', async () => {
    const { data } = (await customer.get('/v1/billing/payment-methods')).body
    return data.length > 0
  })
}
