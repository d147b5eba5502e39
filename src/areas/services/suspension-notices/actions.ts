import type { Instant } from '#lib/time.ts'
import { mailFateOf, notifyAdmins } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import type { ServiceRow } from '../queries.ts'
import type { PeriodRow } from '../renewals/queries.ts'
import { findWarning, updateWarning, upsertWarning } from './queries.ts'
import { isReplaced, type Step, type Warning } from './rules.ts'

/**
 * The state of the notice before a step of a period, which is locked. The time it was sent is stored as soon as it is
 * known, because mails are not stored for ever. Null if there is no notice.
 */
export async function readWarning(
  tx: Tx,
  period: PeriodRow,
  step: Step,
  { now, mailServer }: { now: Instant; mailServer: boolean },
): Promise<Warning | null> {
  const row = await findWarning(tx, period, step)
  if (!row) return null
  const { writtenAt, operatorsToldAt, sentAt, noticeId } = row
  if (sentAt) return { writtenAt, operatorsToldAt, sentAt, fate: 'sent' }
  const about = { tenantId: period.tenantId, reference: noticeId }
  const fate = await mailFateOf(tx, about, { now, mailServer })
  if (fate.state !== 'sent') return { writtenAt, operatorsToldAt, sentAt, fate: fate.state }
  await updateWarning(tx, row, { sentAt: fate.at })
  return { writtenAt, operatorsToldAt, sentAt: fate.at, fate: 'sent' }
}

type Reminded = {
  readonly warning: Warning | null
  readonly step: Step
  readonly noticeId: string | null
}

/** Makes a reminder that was just written the notice of the step it announces, unless an earlier one already is. */
export async function recordReminder(
  tx: Tx,
  period: PeriodRow,
  { warning, step, noticeId }: Reminded,
  now: Instant,
): Promise<void> {
  if (isReplaced(warning)) await upsertWarning(tx, period, { step, noticeId, writtenAt: now })
}

/** Tells operators, once, that a customer cannot be notified of what is about to happen to their service. */
export async function notifyOfUndeliverableNotice(
  tx: Tx,
  { tenantId, id, name }: ServiceRow,
  { periodId, step, on }: { periodId: string; step: Step; on: string },
  now: Instant,
): Promise<void> {
  await updateWarning(tx, { tenantId, periodId, step }, { operatorsToldAt: now })
  const link = `/admin/servers/${id}`
  const topic = 'warning_refused' as const
  await notifyAdmins(tx, { tenantId, topic, facts: { name, step, on }, link }, now)
}
