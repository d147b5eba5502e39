import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, type Tx, transact } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { billingProfileOf, findUser } from '#users'
import { type Connection, keyFor } from '../gateways/connection.ts'
import { markMethodsOfGone } from '../methods/queries.ts'
import { forgetCustomer } from '../work.ts'
import {
  findCustomer,
  insertCustomer,
  markCustomerGone,
  type ProviderCustomerRow,
} from './queries.ts'

/**
 * The id of a customer at a gateway's provider: created on first use, updated on every later one.
 * Undefined if the provider has no customers. Calls the provider, so never use it inside a
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
    // If the user left during the provider's call, their erasure did not include this customer.
    const user = await findUser(tx, { tenantId, userId })
    if (user && user.deletedAt !== null)
      await enqueue(tx, forgetCustomer, { tenantId, id: added.id })
  })
  return made.customerId
}

/** A customer was deleted at the provider, and with it every method saved there. */
export async function customerGone(
  tx: Tx,
  { tenantId, id, gatewayId, userId }: ProviderCustomerRow,
  now: Instant,
): Promise<void> {
  await markCustomerGone(tx, { tenantId, id }, now)
  await markMethodsOfGone(tx, { tenantId, gatewayId, userId }, now)
}
