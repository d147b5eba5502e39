import { Problem } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Area, Pages, UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { type HowToPay, type PreparedPayment, prepareTogether } from '../attempts/prepare.ts'
import { listOwn } from '../invoices/queries.ts'
import { isQuote } from './rules.ts'

/** Pro formas whose price is no longer valid, and what to pay instead; null: nothing. */
export type Expired = ReadonlyMap<string, string | null>

export type Begun = { readonly prepared: PreparedPayment } | { readonly expired: Expired }

/**
 * `prepareTogether` for invoices whose price may no longer be valid: those are replaced, and then nothing is paid
 * (R3.4). Called by `closingPages`. The caller commits the transaction and passes the result to `preparedOf`.
 */
export async function beginPayment(
  tx: Tx,
  areas: readonly Area[],
  payer: UserKey,
  { pages, ...how }: HowToPay & { readonly invoiceIds: readonly string[]; readonly pages: Pages },
  now: Instant,
): Promise<Begun> {
  const expired = new Map<string, string | null>()
  const { tenantId } = payer
  for (const invoice of await listOwn(tx, payer, how.invoiceIds)) {
    const { id: invoiceId, kind, reference } = invoice
    if (!isQuote(invoice)) continue
    const requote = areas.find((area) => area.requote?.[kind])?.requote?.[kind]
    const requoted = await requote?.(tx, { tenantId, invoiceId, reference, pages }, now)
    if (requoted) expired.set(invoiceId, requoted.invoiceId)
  }
  // Read after the locks: another request may have been faster.
  for (const { id, replacedBy } of await listOwn(tx, payer, how.invoiceIds)) {
    if (replacedBy) expired.set(id, replacedBy)
  }
  if (expired.size > 0) return { expired }
  return { prepared: await prepareTogether(tx, payer, how, now) }
}

/** The payment that is to be started. Throws 409 `quote_expired` with the invoice to pay instead. */
export function preparedOf(begun: Begun): PreparedPayment {
  if ('prepared' in begun) return begun.prepared
  const details = [...begun.expired].flatMap(([id, instead]) =>
    instead === null ? [] : [{ path: id, message: instead }],
  )
  const message = [...begun.expired].map(([id, instead]) => tellOf(id, instead)).join(' ')
  throw new Problem(409, message, { code: 'quote_expired', details })
}

function tellOf(id: string, instead: string | null): string {
  return instead === null
    ? `The price of invoice ${id} no longer holds, and nothing is to be paid for it. Order again.`
    : `The price of invoice ${id} no longer holds. Pay invoice ${instead} instead.`
}
