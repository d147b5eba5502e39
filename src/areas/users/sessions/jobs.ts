import { DAY_MS, later } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteEndedAllowances } from '../allowances/queries.ts'
import { deleteOldGuesses } from '../sign-in-throttling/queries.ts'
import { deleteOldAnswers } from '../vat/answers.ts'
import { deleteEnded, type Expiring } from './expiry.ts'

const LONG_MS = 30 * DAY_MS
const BATCH = 500

/** The tables whose rows are deleted, and how long after their end. */
const KEPT: readonly { table: Expiring; keptMs: number }[] = [
  { table: 'users.sessions', keptMs: LONG_MS },
  { table: 'users.email_tokens', keptMs: LONG_MS },
  { table: 'users.pending_sign_ins', keptMs: DAY_MS },
  { table: 'users.passkey_challenges', keptMs: DAY_MS },
  { table: 'users.connection_starts', keptMs: DAY_MS },
]

/** Deletes ended sessions, links and other sign-in data, with the network addresses they contain. */
export const forgetEnded = schedule('users.forget-ended', DAY_MS, async ({ now, transact }) => {
  for (const { table, keptMs } of KEPT) {
    const before = later(now, -keptMs)
    let count = BATCH
    while (count === BATCH) count = await transact((tx) => deleteEnded(tx, table, before, BATCH))
  }
  let guesses = BATCH
  while (guesses === BATCH) {
    guesses = await transact((tx) => deleteOldGuesses(tx, later(now, -DAY_MS), BATCH))
  }
  let answers = BATCH
  while (answers === BATCH) answers = await transact((tx) => deleteOldAnswers(tx, now, BATCH))
  let allowances = BATCH
  while (allowances === BATCH) {
    allowances = await transact((tx) => deleteEndedAllowances(tx, now, BATCH))
  }
})
