import { DAY_MS, later } from '#lib/time.ts'
import { emit } from '#platform/events.ts'
import { job, schedule } from '#platform/jobs.ts'
import { adminAttention } from '../events.ts'
import { matchEntries } from '../work.ts'
import { matchEntry } from './actions.ts'
import { forgetUnknownPayers, listNewEntries } from './queries.ts'

const BATCH = 100
/** A payer who sent money by mistake may still ask for it. */
const UNKNOWN_KEPT_MS = 400 * DAY_MS

/**
 * Finds what the entries of a statement pay, each in a transaction of its own: a run after a crash
 * continues with the remaining ones.
 */
export const matchEntriesJob = job(
  matchEntries,
  async ({ db, now, signal, transact }, { tenantId, statementId }) => {
    let open = 0
    for (;;) {
      const found = await listNewEntries(db, { tenantId, statementId }, BATCH)
      for (const key of found) {
        signal.throwIfAborted()
        const entry = await transact((tx) => matchEntry(tx, key, now))
        if (entry?.state === 'open') open += 1
      }
      if (found.length < BATCH) break
    }
    if (open === 0) return
    const data = { statementId, count: open }
    await transact((tx) => emit(tx, adminAttention, { tenantId, kind: 'bank_entries_open', data }))
  },
  { timeoutSeconds: 900 },
)

/** Deletes the payer's data of entries that paid none of our invoices. */
export const forgetPayers = schedule('billing.forget-payers', DAY_MS, async ({ now, transact }) => {
  const before = later(now, -UNKNOWN_KEPT_MS)
  let count = BATCH
  while (count === BATCH) count = await transact((tx) => forgetUnknownPayers(tx, before, BATCH))
})
