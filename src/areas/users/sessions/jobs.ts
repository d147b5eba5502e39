import { DAY_MS, later } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { deleteOldStarts } from '../connections/queries.ts'
import { deleteOldGuesses } from '../guesses/queries.ts'
import { deleteOldChallenges } from '../passkeys/queries.ts'
import { deleteOldPendingSignIns } from '../second-factors/queries.ts'
import { deleteEndedSessions, deleteOldLinks } from './queries.ts'

const LONG_MS = 30 * DAY_MS
const BATCH = 500

/** What is forgotten, and how long after its end. */
const KEPT = [
  { forget: deleteEndedSessions, keptMs: LONG_MS },
  { forget: deleteOldLinks, keptMs: LONG_MS },
  { forget: deleteOldPendingSignIns, keptMs: DAY_MS },
  { forget: deleteOldChallenges, keptMs: DAY_MS },
  { forget: deleteOldStarts, keptMs: DAY_MS },
  { forget: deleteOldGuesses, keptMs: DAY_MS },
]

/** Forgets sessions, links and what a sign-in leaves behind, with the addresses they came from. */
export const forgetEnded = schedule(
  'users.forget-ended',
  DAY_MS,
  async ({ now, transact }) => {
    for (const { forget, keptMs } of KEPT) {
      const before = later(now, -keptMs)
      let count = BATCH
      while (count === BATCH) count = await transact((tx) => forget(tx, before, BATCH))
    }
  },
  { retries: 1 },
)
