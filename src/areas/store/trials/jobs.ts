import { HOUR_MS } from '#lib/time.ts'
import { onEvent } from '#platform/events.ts'
import { schedule } from '#platform/jobs.ts'
import { emailChanged } from '#users'
import { markAddress } from './actions.ts'
import { deleteMarksDue } from './queries.ts'

/** A new address counts for the trials of before, too. */
export const rememberNewAddress = onEvent(
  emailChanged,
  'store.remember-new-address',
  async ({ transact, secrets, now }, { tenantId, userId, email }) => {
    await transact((tx) => markAddress(tx, { tenantId, userId, email }, secrets, now))
  },
)

const BATCH = 1000

/** Forgets who tried what once a tenant's time for it is over. */
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
