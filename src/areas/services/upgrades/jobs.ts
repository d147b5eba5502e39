import { Type } from 'typebox'
import { invoicePaid, invoiceVoided } from '#billing'
import { Id } from '#lib/schema.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import { PanelError, type PanelFailure, retryAt } from '#panel'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import {
  cancelUpgrade,
  completeUpgrade,
  failUpgrade,
  retryUpgrade,
  startUpgrade,
  upgradeLeaseEnd,
} from './actions.ts'
import { isRefusal, makeChange } from './change.ts'
import { leaseUpgrade, listDueUpgrades, type UpgradeRow } from './queries.ts'

const TIMEOUT_SECONDS = 240
const BATCH = 200

export const upgradePaid = onEvent(
  invoicePaid,
  'services.upgrade-paid',
  async ({ transact, now }, { tenantId, kind, reference }) => {
    if (kind !== 'upgrade' || !reference) return
    await transact((tx) => startUpgrade(tx, { tenantId, id: reference }, now))
  },
)

export const upgradeVoided = onEvent(
  invoiceVoided,
  'services.upgrade-voided',
  async ({ transact, now }, { tenantId, kind, reference, invoiceId }) => {
    if (kind !== 'upgrade' || !reference) return
    await transact((tx) => cancelUpgrade(tx, { tenantId, id: reference, invoiceId }, now))
  },
)

/** Makes a paid change on the panel: build, then start-up. Every call may be repeated. */
export const applyUpgrade = job(
  'services.apply-upgrade',
  Type.Object({ tenantId: Id, upgradeId: Id }),
  async (context: JobContext, { tenantId, upgradeId }) => {
    const { transact, clock } = context
    const now = clock.now()
    const lease = { now, until: upgradeLeaseEnd(now) }
    const upgrade = await transact((tx) => leaseUpgrade(tx, { tenantId, id: upgradeId }, lease))
    if (!upgrade) return
    const failure = await makeChange(context, upgrade)
    const at = clock.now()
    if (!failure) return void (await transact((tx) => completeUpgrade(tx, upgrade, at)))
    const next = failure instanceof PanelError ? nextTry(upgrade, failure, at) : undefined
    await transact((tx) =>
      next
        ? retryUpgrade(tx, upgrade, { nextAt: next, failure: failureOf(failure, at) }, at)
        : failUpgrade(tx, upgrade, failureOf(failure, at), at),
    )
  },
  { concurrency: 4, timeoutSeconds: TIMEOUT_SECONDS },
)

/** Finds paid changes whose job was lost with its process. */
export const resumeUpgrades = schedule(
  'services.resume-upgrades',
  15 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    const due = await listDueUpgrades(db, later(now, -2 * SECOND_MS), BATCH)
    await transact(db, async (tx) => {
      for (const { tenantId, id } of due) {
        await enqueue(tx, applyUpgrade, { tenantId, upgradeId: id }, { key: `resume ${id}` })
      }
    })
  },
)

/** What a panel refuses stays refused; the rest is tried for three days. */
function nextTry(
  { paidAt, attempt }: UpgradeRow,
  error: PanelError,
  now: Instant,
): Instant | undefined {
  if (isRefusal(error)) return undefined
  const { retryAfterMs = 0 } = error
  const at = retryAt({ startedAt: paidAt ?? now, attempt: attempt + 1 }, now, Math.random)
  const earliest = later(now, retryAfterMs)
  return at && at < earliest ? earliest : at
}

function failureOf(failure: PanelError | PanelFailure, at: Instant): PanelFailure {
  return failure instanceof PanelError ? { ...failure.failure, at } : failure
}
