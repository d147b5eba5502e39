import { HOUR_MS } from '#lib/time.ts'
import { deleteOldAnswers } from '#platform/http/idempotency.ts'
import { schedule } from '#platform/jobs.ts'

const BATCH = 1000

/** Deletes the responses that are stored for repeated requests, a day after they were sent. */
export const forgetAnswers = schedule(
  'system.forget-answers',
  HOUR_MS,
  async ({ now, transact }) => {
    let count = BATCH
    while (count === BATCH) count = await transact((tx) => deleteOldAnswers(tx, now, BATCH))
  },
)
