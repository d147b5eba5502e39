import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import type { JobContext } from '#platform/deps.ts'
import { schedule } from '#platform/jobs.ts'
import { listTenantIds, settingsOf } from '#tenants'
import { supportSettings } from './settings.ts'
import { endHolds } from './tickets/actions.ts'
import { announceClosings, closeAnswered } from './tickets/auto-close.ts'

const BATCH = 100

/** Reopens the tickets whose hold has ended. */
export const reopenHeld = schedule('support.reopen-held', MINUTE_MS, async ({ now, transact }) => {
  let count = BATCH
  while (count === BATCH) count = await transact((tx) => endHolds(tx, now, BATCH))
})

const RUN_SECONDS = 600

/**
 * Closes answered tickets that nobody wrote on for `support.autoCloseDays`, and reminds their customers before
 * (T5). The reminder comes first, also after the service was down for longer than all of these days.
 */
export const closeAnsweredTickets = schedule(
  'support.close-answered',
  HOUR_MS,
  async ({ db, now, signal, transact }: JobContext) => {
    for (const tenantId of await listTenantIds(db)) {
      const settings = await settingsOf(db, tenantId, supportSettings)
      const { autoCloseDays, autoCloseNoticeDays } = settings
      if (autoCloseDays === 0) continue
      const batch = { tenantId, autoCloseDays, autoCloseNoticeDays, limit: BATCH }
      for (const work of autoCloseNoticeDays > 0
        ? [announceClosings, closeAnswered]
        : [closeAnswered]) {
        let count = BATCH
        while (count === BATCH && !signal.aborted)
          count = await transact((tx) => work(tx, batch, now))
      }
    }
  },
  { timeoutSeconds: RUN_SECONDS },
)
