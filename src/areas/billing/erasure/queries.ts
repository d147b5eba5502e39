import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Db, json, type Tx } from '#platform/database/index.ts'
import type { ProviderCustomerRow } from '../customers/queries.ts'

/** Whether a customer has an unpaid invoice or a draft. */
export async function hasOpenInvoice(db: Db, { tenantId, userId }: UserKey): Promise<boolean> {
  const row = await db
    .selectFrom('billing.invoices')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('status', 'in', ['draft', 'open'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a payment or refund of a customer is under way. */
export async function hasMoneyMoving(db: Db, { tenantId, userId }: UserKey): Promise<boolean> {
  const refund = await db
    .selectFrom('billing.refunds')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('state', 'in', ['pending', 'action_required'])
    .limit(1)
    .executeTakeFirst()
  if (refund) return true
  const attempt = await db
    .selectFrom('billing.payment_attempts')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('state', '=', 'processing')
    .limit(1)
    .executeTakeFirst()
  return attempt !== undefined
}

/** Deletes every saved method, with what identifies it. Returns those that were in use. */
export async function forgetMethods(
  tx: Tx,
  { tenantId, userId }: UserKey,
  goneAt: Instant,
): Promise<string[]> {
  const live = await tx
    .selectFrom('billing.payment_methods')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('goneAt', 'is', null)
    .execute()
  await tx
    .updateTable('billing.payment_methods')
    .set({ brand: null, last4: null, expMonth: null, expYear: null })
    .set({ fingerprint: null, label: null, isDefault: false })
    .set({ goneAt: sql<Instant>`coalesce(gone_at, ${goneAt})` })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  return live.map(({ id }) => id)
}

/** Removes a customer's records at every provider from our database. Returns their ids there. */
export async function forgetProviderCustomers(
  tx: Tx,
  { tenantId, userId }: UserKey,
  goneAt: Instant,
): Promise<Pick<ProviderCustomerRow, 'id' | 'providerCustomerId'>[]> {
  return tx
    .updateTable('billing.provider_customers')
    .set({ goneAt: sql<Instant>`coalesce(gone_at, ${goneAt})` })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .returning(['id', 'providerCustomerId'])
    .execute()
}

/** Deletes the stored requests to providers, and the addresses from which people came to pay. */
export async function forgetRequests(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .updateTable('billing.payment_attempts')
    .set({ request: null, returnUrl: null, nextStep: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  await tx
    .updateTable('billing.payments')
    .set({ fingerprint: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Empties stored provider events that name a customer, once they have been processed. */
export async function forgetEvents(
  tx: Tx,
  tenantId: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const named = `%${JSON.stringify(name).replace(/[\\%_]/g, '\\$&')}%`
    // Within the text of an event its own quotes may be escaped again.
    const escaped = `%${JSON.stringify(JSON.stringify(name))
      .slice(1, -1)
      .replace(/[\\%_]/g, '\\$&')}%`
    await tx
      .updateTable('billing.provider_events')
      .set({ envelope: '{}' })
      .where('tenantId', '=', tenantId)
      .where('state', '<>', 'new')
      .where((it) => it.or([it('envelope', 'like', named), it('envelope', 'like', escaped)]))
      .execute()
  }
}

/**
 * Deletes drafts, and removes the buyer from what was offered but never issued: no law requires keeping
 * it.
 */
export async function forgetOffers(
  tx: Tx,
  { tenantId, userId }: UserKey,
  anonymizedAt: Instant,
): Promise<void> {
  await tx
    .deleteFrom('billing.invoices')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('status', '=', 'draft')
    .execute()
  await tx
    .updateTable('billing.invoices')
    .set({ buyer: json({}), anonymizedAt })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('number', 'is', null)
    .where('anonymizedAt', 'is', null)
    .execute()
}

export async function deleteLease(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('billing.export_leases')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
