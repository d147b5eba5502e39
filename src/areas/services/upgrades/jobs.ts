import { invoicePaid, invoiceVoided } from '#billing'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import { PanelError, type PanelFailure, retryAt } from '#panel'
import { type Tx, transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { whileLeased } from '../leases/hold.ts'
import { applyUpgrade, restoreGivenUp } from '../work.ts'
import {
  completeUpgrade,
  failUpgrade,
  postponeUpgrade,
  retryUpgrade,
  upgradeLeaseEnd,
  waitForRoom,
} from './actions.ts'
import { requestManualChange } from './by-hand.ts'
import { isMade, isRefusal, makeChange, restoreServer } from './change.ts'
import { asMisfit } from './fits.ts'
import { cancelUpgrade, startUpgrade } from './payment.ts'
import {
  findOpenUpgrade,
  findUpgrade,
  leaseUpgrade,
  listDueUpgrades,
  releaseUpgrade,
  type UpgradeRow,
} from './queries.ts'

const TIMEOUT_SECONDS = 240
const BATCH = 200

export const upgradePaid = onEvent(
  invoicePaid,
  'services.upgrade-paid',
  async ({ transact, now }, { tenantId, kind, reference }) => {
    if (kind !== 'upgrade' || !reference) return
    await transact(async (tx) => {
      const key = { tenantId, id: reference }
      if (await startUpgrade(tx, key, now)) return
      const detail = 'What was chosen is sold out.'
      await failUpgrade(tx, key, { code: 'out_of_stock', detail, at: now }, now)
    })
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

/** Makes a paid change on the panel: start-up, then build. Every call may be repeated. */
export const applyUpgradeJob = job(
  applyUpgrade,
  async (context: JobContext, { tenantId, upgradeId }) => {
    const { transact, clock } = context
    const now = clock.now()
    const lease = { now, until: upgradeLeaseEnd(now) }
    const upgrade = await transact((tx) => leaseUpgrade(tx, { tenantId, id: upgradeId }, lease))
    if (!upgrade) return
    try {
      const made = await whileLeased(context, upgrade, async () => {
        if (await transact((tx) => requestManualChange(tx, upgrade, clock.now()))) return
        const failure = await makeChange(context, upgrade)
        // An answer may have been lost: a change that the panel has made is not given up.
        const isLast = failure !== null && isGivenUp(upgrade, failure, clock.now())
        const made = isLast && upgrade.attempt > 0 && (await isMade(context, upgrade))
        await transact((tx) => conclude(tx, upgrade, made ? null : failure, clock.now()))
      })
      if (!made) await transact((tx) => postponeUpgrade(tx, upgrade, now))
    } catch (error) {
      // Released so that the next try of this job finds it.
      await transact((tx) => releaseUpgrade(tx, upgrade))
      throw error
    }
  },
  { concurrency: 4, timeoutSeconds: TIMEOUT_SECONDS },
)

/** Whether a failure ends a change. */
function isGivenUp(upgrade: UpgradeRow, failure: PanelError | PanelFailure, now: Instant): boolean {
  if (failure instanceof PanelError) return nextTry(upgrade, failure, now) === undefined
  return upgrade.invoiceId !== null || asMisfit(failure.code) === undefined
}

/** How many times the panel is asked for a server after its change was given up. */
const RESTORE_TRIES = 200

/**
 * Puts a server back on the product of its service after a change was given up. While the panel does not answer, or
 * other work is under way on the server, it is tried again: within a minute at first, later every hour.
 */
export const restoreGivenUpJob = job(
  restoreGivenUp,
  async (context: JobContext, { tenantId, upgradeId, attempt }) => {
    const { db, transact } = context
    const upgrade = await findUpgrade(db, { tenantId, id: upgradeId })
    if (!upgrade?.failedAt) return
    const done = await whileLeased(context, upgrade, async () => {
      if (await findOpenUpgrade(db, tenantId, upgrade.serviceId)) return undefined
      return restoreServer(context, upgrade)
    })
    if (done && !(done.done instanceof PanelError)) return
    if (attempt >= RESTORE_TRIES) return
    const startAfterSeconds = Math.min(3600, 15 * 2 ** Math.min(attempt, 10))
    const again = { tenantId, upgradeId, attempt: attempt + 1 }
    await transact((tx) => enqueue(tx, restoreGivenUp, again, { startAfterSeconds }))
  },
  { concurrency: 2, timeoutSeconds: TIMEOUT_SECONDS, retrySeconds: 5 },
)

function conclude(
  tx: Tx,
  upgrade: UpgradeRow,
  failure: PanelError | PanelFailure | null,
  at: Instant,
): Promise<void> {
  if (!failure) return completeUpgrade(tx, upgrade, at)
  if (failure instanceof PanelError) {
    const nextAt = nextTry(upgrade, failure, at)
    const told = failureOf(failure, at)
    return nextAt
      ? retryUpgrade(tx, upgrade, { nextAt, failure: told }, at)
      : failUpgrade(tx, upgrade, told, at)
  }
  const { invoiceId } = upgrade
  const misfit = invoiceId === null ? asMisfit(failure.code) : undefined
  return misfit
    ? waitForRoom(tx, upgrade, { misfit, failure }, at)
    : failUpgrade(tx, upgrade, failure, at)
}

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

/** When to try again: a refusal is final; other failures are tried again for three days. */
function nextTry(
  { paidAt, attempt }: UpgradeRow,
  error: PanelError,
  now: Instant,
): Instant | undefined {
  if (isRefusal(error)) return undefined
  const { kind, retryAfterMs = 0 } = error
  const tries = kind === 'rate_limited' ? 1 : attempt + 1
  const at = retryAt({ startedAt: paidAt ?? now, attempt: tries }, now, Math.random)
  const earliest = later(now, retryAfterMs)
  return at && at < earliest ? earliest : at
}

function failureOf({ failure }: PanelError, at: Instant): PanelFailure {
  return { ...failure, at }
}
