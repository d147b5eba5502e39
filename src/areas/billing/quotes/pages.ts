import { conflict } from '#lib/problem.ts'
import { type Db, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { check } from '../attempts/check.ts'
import { type AttemptRow, updateAttempt } from '../attempts/queries.ts'
import { OpenPages } from './open-pages.ts'

/**
 * Starts a payment. If pages are open for a pro forma that is to be replaced, their providers are asked
 * to close them first, so that a page that was paid meanwhile counts at its own price; then the payment
 * is started again. Throws 409 `payment_in_progress` if a provider cannot be asked now.
 */
export async function closingPages<T>(
  deps: Deps,
  db: Db,
  begin: (pages: 'ask' | 'close') => Promise<T>,
): Promise<T> {
  try {
    return await begin('ask')
  } catch (error) {
    if (!(error instanceof OpenPages)) throw error
    for (const attempt of error.attempts) await close(deps, db, attempt)
    return begin('close')
  }
}

async function close(deps: Deps, db: Db, attempt: AttemptRow): Promise<void> {
  const now = deps.clock.now()
  const unwanted = await transact(db, (tx) =>
    updateAttempt(tx, attempt, { cancelWantedAt: now, nextCheckAt: now }),
  )
  if (await check(deps, db, unwanted)) return
  throw conflict(
    'A payment of this invoice is under way, and its provider does not answer. Try again later.',
    'payment_in_progress',
  )
}
