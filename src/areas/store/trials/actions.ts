import { unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { deleteTrials, insertTrials, type TrialRow } from './queries.ts'

type Trials = Pick<TrialRow, 'tenantId' | 'userId' | 'reference'> & {
  productIds: readonly string[]
}

/** Notes that a customer tries these products with this order. 422 when one was tried before. */
export async function startTrials(tx: Tx, trials: Trials, now: Instant): Promise<void> {
  const productIds = [...new Set(trials.productIds)]
  if (productIds.length === 0) return
  const first = await insertTrials(tx, { ...trials, productIds, createdAt: now })
  if (first.length < productIds.length) {
    throw unprocessable('You have already tried this product.', 'trial_used')
  }
}

/** Forgets the trials of an order that came to nothing. Safe to repeat. */
export async function forgetTrials(
  tx: Tx,
  order: Pick<TrialRow, 'tenantId' | 'reference'>,
): Promise<void> {
  await deleteTrials(tx, order)
}
