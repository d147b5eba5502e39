import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findUser } from '#users'
import { notify } from '../actions.ts'
import { type MailRow, markUndeliverable } from './queries.ts'

/**
 * Records that the address of a mail does not exist, and notifies its person in the product, once, if it is
 * still theirs.
 */
export async function recordUndeliverable(
  tx: Tx,
  { tenantId, userId, recipient }: Pick<MailRow, 'tenantId' | 'userId' | 'recipient'>,
  reason: string,
  now: Instant,
): Promise<void> {
  const address = recipient.toLowerCase()
  const isNew = await markUndeliverable(tx, { tenantId, address, reason, since: now })
  const user = isNew && userId ? await findUser(tx, { tenantId, userId }) : undefined
  if (!user || user.email !== address) return
  const notice = { tenantId, userId: user.id, kind: 'mail_undeliverable' as const }
  await notify(tx, { ...notice, data: { address }, link: '/account' }, now)
}
