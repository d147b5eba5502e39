import { type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { type GuessKey, lockGuesses, updateGuesses } from './queries.ts'
import { EVERYWHERE, FORGOTTEN_MS, type Guesses, tooManyGuesses, waitMs } from './rules.ts'

/**
 * Counts a guess at a password or a code before it is compared, so that simultaneous guesses are all counted.
 * Throws 429 with the seconds to wait, and then counts nothing. A right guess is forgiven
 * afterwards (`forgiveGuesses`).
 */
export async function countGuess(tx: Tx, key: GuessKey, now: Instant): Promise<void> {
  const { here, everywhere } = await lockBoth(tx, key, now)
  const ms = waitMs({ here, everywhere }, now)
  if (ms > 0) throw tooManyGuesses(ms)
  await updateGuesses(tx, key, { failures: failuresOf(here, now) + 1, guessedAt: now })
  const all = { failures: failuresOf(everywhere, now) + 1, guessedAt: now }
  await updateGuesses(tx, { ...key, network: EVERYWHERE }, all)
}

/**
 * Takes back the guesses counted for a network whose guess was right. `signedIn`: the sign-in is complete,
 * and from now on guesses from other networks cannot slow this network down.
 */
export async function forgiveGuesses(
  tx: Tx,
  key: GuessKey,
  { signedIn }: { signedIn: boolean },
  now: Instant,
): Promise<void> {
  const { here, everywhere } = await lockBoth(tx, key, now)
  const failures = Math.max(0, everywhere.failures - here.failures)
  await updateGuesses(tx, key, { failures: 0, ...(signedIn && { signedInAt: now }) })
  await updateGuesses(tx, { ...key, network: EVERYWHERE }, { failures })
}

async function lockBoth(
  tx: Tx,
  key: GuessKey,
  now: Instant,
): Promise<{ here: Guesses; everywhere: Guesses }> {
  const rows = await lockGuesses(tx, key, now)
  const here = rows.find(({ network }) => network === key.network)
  const everywhere = rows.find(({ network }) => network === EVERYWHERE)
  if (!here || !everywhere) throw new Error('A row of guesses is missing')
  return { here, everywhere }
}

function failuresOf({ failures, guessedAt }: Guesses, now: Instant): number {
  return guessedAt <= later(now, -FORGOTTEN_MS) ? 0 : failures
}
