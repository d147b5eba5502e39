import { HOUR_MS, later } from '#lib/time.ts'
import { job, schedule } from '#platform/jobs.ts'
import { makeCodes } from '../work.ts'
import { deleteEndedCodes, makeSome } from './actions.ts'
import { listEndedCodes } from './queries.ts'
import { KEPT_AFTER_DOWNLOAD_MS, KEPT_WITHOUT_DOWNLOAD_MS } from './rules.ts'

const MADE_AT_ONCE = 500
const DELETED_AT_ONCE = 100

/** Creates the vouchers of a batch in small transactions; resumes where it stopped. */
export const makeCodesJob = job(
  makeCodes,
  async ({ secrets, now, signal, transact }, { tenantId, batchId: id }) => {
    const part = { tenantId, id, secrets, limit: MADE_AT_ONCE }
    while (await transact((tx) => makeSome(tx, part, now))) signal.throwIfAborted()
  },
)

/** Deletes codes that were downloaded a day ago, or never within 30 days. */
export const deleteEndedCodesJob = schedule(
  'vouchers.delete-codes',
  HOUR_MS,
  async ({ db, now, signal, transact }) => {
    const before = {
      downloadedBefore: later(now, -KEPT_AFTER_DOWNLOAD_MS),
      readyBefore: later(now, -KEPT_WITHOUT_DOWNLOAD_MS),
    }
    let batches = await listEndedCodes(db, before, DELETED_AT_ONCE)
    while (batches.length > 0 && !signal.aborted) {
      for (const key of batches) await transact((tx) => deleteEndedCodes(tx, key, now))
      batches = await listEndedCodes(db, before, DELETED_AT_ONCE)
    }
  },
)
