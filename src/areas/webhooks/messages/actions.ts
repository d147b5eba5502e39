import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import { enqueue } from '#platform/jobs.ts'
import { listBusyLines } from '../deliveries/queries.ts'
import { listHearing, lockLines } from '../endpoints/queries.ts'
import { deliver } from '../work.ts'
import { insertMessage, type NewMessage } from './queries.ts'

type Hearing = Awaited<ReturnType<typeof listHearing>>[number]

/**
 * Writes a message and its delivery to every endpoint that subscribes to its type, once however often
 * this runs. For an endpoint that is off it is stored for later, and if order is required it waits for
 * earlier messages.
 */
export async function writeMessage(
  tx: Tx,
  message: Omit<NewMessage, 'createdAt'>,
  now: Instant,
): Promise<void> {
  const { tenantId, id: messageId, type } = message
  const hearing = await listHearing(tx, tenantId, type)
  if (hearing.length === 0) return
  const busy = await busyLines(tx, message, hearing)
  await insertMessage(tx, { ...message, createdAt: now })
  const rows = hearing.map(({ id: endpointId, ordered, disabledAt }) => ({
    ...{ tenantId, id: newId(), endpointId, messageId, type },
    status: disabledAt ? ('held' as const) : ('pending' as const),
    orderingKey: ordered ? message.objectId : null,
    nextAt: disabledAt || busy.has(endpointId) ? null : now,
    createdAt: now,
    ...{ attempts: 0, tries: 0 },
  }))
  await insertRows(tx, 'webhooks.deliveries', rows, { skipKnown: true })
  await enqueue(tx, deliver, { tenantId }, { key: tenantId })
}

/** The endpoints to which another message about the same object must be delivered first. */
async function busyLines(
  tx: Tx,
  { tenantId, objectId }: Pick<NewMessage, 'tenantId' | 'objectId'>,
  hearing: readonly Hearing[],
): Promise<ReadonlySet<string>> {
  const ids = hearing.filter(({ ordered }) => ordered).map(({ id }) => id)
  if (objectId === null || ids.length === 0) return new Set()
  // Otherwise a process that ends the earlier delivery now would not see this one, and it would wait
  // for ever.
  await lockLines(tx, tenantId, ids)
  return new Set(await listBusyLines(tx, { tenantId, orderingKey: objectId, endpointIds: ids }))
}
