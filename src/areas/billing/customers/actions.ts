import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, type Tx, transact } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { billingProfileOf, findUser } from '#users'
import { forgetCustomer } from '../departures/jobs.ts'
import { type Connection, keyFor } from '../gateways/connection.ts'
import { markMethodsOfGone } from '../methods/queries.ts'
import {
  findByProviderCustomer,
  findCustomer,
  insertCustomer,
  markCustomerGone,
  type ProviderCustomerRow,
} from './queries.ts'

/**
 * The id a customer has at a gateway's provider: made on first use, brought up to date on every
 * other. Undefined where the provider knows no customers. Calls the provider, so never inside a
 * transaction.
 */
export async function ensureCustomer(
  db: Db,
  connection: Connection,
  userId: string,
  now: Instant,
): Promise<string | undefined> {
  const { row, driver, context } = connection
  if (!driver.ensureCustomer) return undefined
  const { tenantId, id: gatewayId } = row
  const known = await findCustomer(db, { tenantId, gatewayId, userId })
  const profile = await billingProfileOf(db, { tenantId, userId })
  if (!profile) throw notFound('User')
  const country = profile.address?.country ?? profile.country
  const input = {
    userId,
    ...{ email: profile.email, name: profile.name, locale: profile.locale },
    ...(country && { country }),
    ...(known && { existingCustomerId: known.providerCustomerId }),
  }
  const made = await driver.ensureCustomer(context, input, keyFor(connection, 'cus', userId))
  if (made.customerId === known?.providerCustomerId) return made.customerId
  await transact(db, async (tx) => {
    if (known) await customerGone(tx, known, now)
    const providerCustomerId = made.customerId
    const added = { tenantId, id: newId(), gatewayId, userId, providerCustomerId, createdAt: now }
    await insertCustomer(tx, added)
    // Who left while the provider was asked did not take this customer along.
    const user = await findUser(tx, { tenantId, userId })
    if (user && user.deletedAt !== null)
      await enqueue(tx, forgetCustomer, { tenantId, id: added.id })
  })
  return made.customerId
}

/** A customer was deleted at the provider, and with it every method that was saved there. */
export async function customerGone(
  tx: Tx,
  { tenantId, id, gatewayId, userId }: ProviderCustomerRow,
  now: Instant,
): Promise<void> {
  await markCustomerGone(tx, { tenantId, id }, now)
  await markMethodsOfGone(tx, { tenantId, gatewayId, userId }, now)
}

/** The user behind a provider's customer; undefined when it is none of ours. */
export async function userOfCustomer(
  db: Db,
  place: { tenantId: string; gatewayId: string },
  providerCustomerId: string | undefined,
): Promise<string | undefined> {
  if (!providerCustomerId) return undefined
  return (await findByProviderCustomer(db, place, providerCustomerId))?.userId
}
