import { sql } from 'kysely'
import type { Tx } from '#platform/database/index.ts'
import type { LiveKind } from './rules.ts'

/** An event for people whose streams are open now. It contains ids and states only, never a text of a customer. */
type LiveEvent = {
  readonly tenantId: string
  readonly userIds: readonly string[]
  readonly event: LiveKind
  readonly data: Readonly<Record<string, string>>
}

/** Sends an event to open streams on all processes when the transaction commits. It is not stored and not repeated. */
export async function tellLive(
  tx: Tx,
  { tenantId, userIds, event, data }: LiveEvent,
): Promise<void> {
  if (userIds.length === 0) return
  const message = JSON.stringify({ t: tenantId, l: { to: userIds, event, data } })
  await sql`select pg_notify('notifications', ${message})`.execute(tx)
}
