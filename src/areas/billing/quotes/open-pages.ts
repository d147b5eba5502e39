import { Problem } from '#lib/problem.ts'
import type { Tx } from '#platform/database/index.ts'
import { type AttemptRow, listUnfinished } from '../attempts/queries.ts'
import { isUnstarted } from '../attempts/rules.ts'
import type { InvoiceKey } from '../invoices/queries.ts'

/**
 * An invoice cannot be replaced or charged yet: pages to pay it are open at a provider, and we do not know yet
 * whether one was paid. Nothing has been written.
 */
export class OpenPages extends Problem {
  readonly attempts: readonly AttemptRow[]

  constructor(attempts: readonly AttemptRow[]) {
    super(409, 'A payment of this invoice is under way.', { code: 'payment_in_progress' })
    this.attempts = attempts
  }
}

/** Throws `OpenPages` if a page to pay an invoice is open at a provider: it may have been paid. */
export async function assertNoOpenPages(
  tx: Tx,
  { tenantId, invoiceId }: InvoiceKey,
): Promise<void> {
  const open = openPages(await listUnfinished(tx, tenantId, [invoiceId]))
  if (open.length > 0) throw new OpenPages(open)
}

/** The unfinished attempts that have a page at their provider. */
export function openPages(unfinished: readonly AttemptRow[]): AttemptRow[] {
  return unfinished.filter(
    (it) => (it.state === 'open' || it.state === 'action_required') && !isUnstarted(it),
  )
}
