import { HOUR_MS } from '#lib/time.ts'
import { onEvent } from '#platform/events.ts'
import { schedule } from '#platform/jobs.ts'
import { emailChanged } from '#users'
import { markAddress } from './actions.ts'
import { deleteMarksDue } from './queries.ts'

/** A new address also counts for earlier trials. */
export const rememberNewAddress = onEvent(
  emailChanged,
  'store.remember-new-address',
  async ({ transact, secrets, now }, { tenantId, userId, email }) => {
    await transact((tx) => markAddress(tx, { tenantId, userId, email }, secrets, now))
  },
)

const BATCH = 1000

/** Deletes the marks of trials when the tenant's time for keeping them is over. */
export const forgetTrialMarks = schedule(
  'store.forget-trial-marks',
  24 * HOUR_MS,
  async ({ transact, now, signal }) => {
    let deleted = BATCH
    while (deleted === BATCH && !signal.aborted) {
      deleted = await transact((tx) => deleteMarksDue(tx, now, BATCH))
    }
  },
)
