import assert from 'node:assert/strict'
import { transact } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { userRegistered } from '#users'
import { until } from './app.ts'
import type { BillingShop } from './billing-shop.ts'
import type { Answer } from './client.ts'
import type { Person } from './people.ts'

type Body = Answer['body']
type Shop = Pick<BillingShop, 'db' | 'tenantId' | 'admin'>

/** Every look takes from what is waited for. */
const LOOK_MS = 40

/** Somebody who brings customers. */
export type Affiliate = Person & { readonly id: string; readonly code: string }

/** Makes somebody who brings customers to a shop. */
export async function affiliate(
  shop: BillingShop,
  wanted: Parameters<BillingShop['buyer']>[0] = {},
): Promise<Affiliate> {
  const made = await shop.buyer(wanted)
  const { status, body, text } = await made.post('/v1/affiliation')
  assert.equal(status, 201, text)
  return { ...made, id: body.id, code: body.code }
}

/** Somebody who registered with an affiliate's code. */
export async function broughtBy(
  shop: BillingShop,
  { code }: { code: string },
  wanted: Parameters<BillingShop['buyer']>[0] = {},
): Promise<Person> {
  const customer = await shop.buyer(wanted)
  await registered(shop, customer, { referralCode: code })
  await until('the referral', () => referralOf(shop, customer.userId), { everyMs: LOOK_MS })
  return customer
}

/** Says again what registering says. */
export function registered(
  { db }: Pick<BillingShop, 'db'>,
  { tenantId, userId }: { tenantId: string; userId: string },
  recommendation: { referralCode?: string; visitorToken?: string },
): Promise<void> {
  const nobody = { referralCode: null, visitorToken: null }
  return transact(db, (tx) =>
    emit(tx, userRegistered, { tenantId, userId, ...nobody, ...recommendation }),
  )
}

/** Who brought somebody, as it is kept. */
export function referralOf({ db, tenantId }: Shop, userId: string) {
  return db
    .selectFrom('affiliation.referrals')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Waits for the commission of an invoice, and answers it as administrators see it. */
export async function commissionOf(shop: Shop, invoiceId: string): Promise<Body> {
  const { db, tenantId, admin } = shop
  const find = () =>
    db
      .selectFrom('affiliation.commissions')
      .select('id')
      .where('tenantId', '=', tenantId)
      .where('invoiceId', '=', invoiceId)
      .executeTakeFirst()
  const { id } = await until('the commission', find, { everyMs: LOOK_MS })
  const { status, body, text } = await admin.get(`/v1/admin/commissions/${id}`)
  assert.equal(status, 200, text)
  return body
}
