import { conflict, Problem } from '#lib/problem.ts'
import { type Db, type Tx, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { check } from '../attempts/check.ts'
import { type AttemptRow, listUnfinished, updateAttempt } from '../attempts/queries.ts'
import { isUnstarted } from '../attempts/rules.ts'
import type { InvoiceKey } from '../invoices/queries.ts'

/**
 * An invoice cannot be replaced or charged yet: pages to pay it are open at a provider, and may have been paid
 * without our knowing. Nothing has been written.
 */
export class OpenPages extends Problem {
  readonly attempts: readonly AttemptRow[]

  constructor(attempts: readonly AttemptRow[]) {
    super(409, 'A payment of this invoice is under way.', { code: 'payment_in_progress' })
    this.attempts = attempts
  }
}

/** Throws `OpenPages` where a page to pay an invoice is open at a provider: it may have been paid. */
export async function assertNoOpenPages(
  tx: Tx,
  { tenantId, invoiceId }: InvoiceKey,
): Promise<void> {
  const open = openPages(await listUnfinished(tx, tenantId, [invoiceId]))
  if (open.length > 0) throw new OpenPages(open)
}

/** Those of unfinished attempts that have a page at their provider. */
export function openPages(unfinished: readonly AttemptRow[]): AttemptRow[] {
  return unfinished.filter(
    (it) => (it.state === 'open' || it.state === 'action_required') && !isUnstarted(it),
  )
}

/**
 * Begins to pay. Where pages are open for a pro forma that is to be replaced, their providers are asked
 * to close them first, so that one that was paid meanwhile counts at the price it was paid at; then it is
 * begun again. Throws 409 `payment_in_progress` where a provider cannot be asked now.
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
