import type { Instant } from '#lib/time.ts'
import { notifyAll } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { brandOf } from '#tenants'
import { findUsers } from '#users'
import { findIncident } from '../incidents/queries.ts'
import { findFirstUpdate, lockUpdate, markNotified, type UpdateKey } from '../updates/queries.ts'
import { insertNotified, listAffectedCustomers } from './queries.ts'
import { noticeOf } from './rules.ts'

/** Few enough that other transactions do not wait noticeably for the database. */
const NOTIFIED_AT_ONCE = 200

/**
 * Notifies the next affected customers of an update. Who was notified is recorded in the same transaction, so that
 * nobody is notified twice, whatever crashes when and however many jobs run. Returns whether people may be left.
 */
export async function notifySome(tx: Tx, key: UpdateKey, now: Instant): Promise<boolean> {
  const update = await lockUpdate(tx, key)
  if (!update?.notify || update.finishedAt) return false
  const { tenantId, incidentId, notifiedUpTo: after } = update
  const incidentKey = { tenantId, id: incidentId }
  const incident = await findIncident(tx, incidentKey)
  if (!incident) return false
  const isFirst = (await findFirstUpdate(tx, incidentKey))?.id === update.id
  const part = { after, limit: NOTIFIED_AT_ONCE }
  const userIds = await listAffectedCustomers(tx, tenantId, incident, part)
  const fresh = await insertNotified(tx, update, userIds, now)
  const { locale: shopLocale } = await brandOf(tx, tenantId)
  const people = await findUsers(tx, tenantId, fresh)
  const notices = people
    .filter(({ suspendedAt }) => !suspendedAt)
    .map(({ id: userId, locale }) => ({
      ...noticeOf({ incident, update, isFirst }, { locale, shopLocale }),
      ...{ userId, link: `/status/${incidentId}` },
    }))
  const ids = await notifyAll(tx, tenantId, notices, now)
  const left = userIds.length === NOTIFIED_AT_ONCE
  await markNotified(tx, key, {
    upTo: userIds.at(-1) ?? null,
    count: ids.filter((id) => id !== null).length,
    finishedAt: left ? null : now,
  })
  return left
}
