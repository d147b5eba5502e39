import { type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { notify, notifyAdmins } from '#notifications'
import { pollAt } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { findService } from '../queries.ts'
import { watchReinstallation } from '../work.ts'
import {
  deleteReinstall,
  type ReinstallKey,
  type ReinstallRow,
  updateReinstall,
  upsertReinstall,
} from './queries.ts'

/** Longer than the panel may take to answer. */
const UNANSWERED_MS = 90 * SECOND_MS

/** Records a reinstallation before the panel is asked for it, so that its end is reported whatever happens. */
export function recordReinstall(tx: Tx, key: ReinstallKey, now: Instant): Promise<void> {
  return upsertReinstall(tx, key, { now, nextAt: later(now, UNANSWERED_MS) })
}

/** Deletes a reinstallation that the panel has refused: nothing happened. */
export function dropReinstall(tx: Tx, key: ReinstallKey): Promise<void> {
  return deleteReinstall(tx, key)
}

/** The panel has accepted the reinstallation, or may have: its end is watched for. */
export function watchReinstall(tx: Tx, key: ReinstallKey, now: Instant): Promise<void> {
  return lookAt(tx, key, { askedAt: now, nextAt: pollAt(1, now) }, now)
}

/** Sets the time of the next look, and enqueues its job. */
export async function lookAt(
  tx: Tx,
  { tenantId, serviceId, id }: ReinstallKey,
  change: { nextAt: Instant } & Partial<Pick<ReinstallRow, 'askedAt' | 'polls'>>,
  now: Instant,
): Promise<void> {
  if (!(await updateReinstall(tx, { tenantId, serviceId, id }, change))) return
  const seconds = Math.max(0, (millis(change.nextAt) - millis(now)) / SECOND_MS)
  const options = { startAfterSeconds: Math.ceil(seconds), key: id }
  await enqueue(tx, watchReinstallation, { tenantId, serviceId, id }, options)
}

/** Records how it ended, and notifies its owner, and operators after a failure. Runs twice harmlessly. */
export async function endReinstall(
  tx: Tx,
  key: ReinstallKey,
  outcome: NonNullable<ReinstallRow['outcome']>,
  now: Instant,
): Promise<void> {
  const { tenantId, serviceId } = key
  if (!(await updateReinstall(tx, key, { outcome, finishedAt: now, nextAt: null }))) return
  const service = await findService(tx, { tenantId, id: serviceId })
  if (!service || outcome === 'unknown') return
  const { userId, name } = service
  const link = `/servers/${serviceId}`
  const kind = outcome === 'done' ? 'service_reinstalled' : 'service_reinstall_failed'
  await notify(tx, { tenantId, userId, kind, data: { name }, link }, now)
  if (outcome === 'done') return
  const attention = { topic: 'reinstall_failed' as const, facts: { name } }
  await notifyAdmins(tx, { tenantId, ...attention, link: `/admin${link}` }, now)
}
