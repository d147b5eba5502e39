import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/database/index.ts'

/** Removes the notifications and mails of accounts that are about to be removed, by a query of their ids. */
export async function removeRecipients(
  tx: Tx,
  tenantId: string,
  ids: RawBuilder<unknown>,
): Promise<void> {
  const theirs = sql`tenant_id = ${tenantId} and user_id in (${ids})`
  const addresses = sql`select email from users.users where tenant_id = ${tenantId} and id in (${ids})`
  await sql`
    delete from notifications.mails where ${theirs} or (tenant_id = ${tenantId} and (
      recipient in (${addresses}) or reference in (
        select id::text from notifications.notifications where ${theirs})))`.execute(tx)
  await sql`delete from notifications.undeliverable_addresses
    where tenant_id = ${tenantId} and address in (${addresses})`.execute(tx)
  await sql`delete from notifications.preferences where ${theirs}`.execute(tx)
  await sql`delete from notifications.notifications where ${theirs}`.execute(tx)
  await sql`delete from notifications.unread_counts where ${theirs}`.execute(tx)
}
