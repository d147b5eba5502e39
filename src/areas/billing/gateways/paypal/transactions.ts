import { cents, sumCents } from '#lib/money.ts'
import { DAY_MS, type Instant, instant, later, millis, SECOND_MS } from '#lib/time.ts'
import type { ListedPayment } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { DisputeSnapshot, Observation } from '../snapshots.ts'
import { observations } from './changes.ts'
import type { PaypalApi } from './client.ts'
import { orderOfCapture } from './payments.ts'
import { Dispute, Disputes, type TransactionInfo, Transactions } from './schema.ts'
import { correlationIn, disputeOf, moneyOf } from './snapshots.ts'

const PAGE_SIZE = 500
const DISPUTES_PAGE_SIZE = 50
/** PayPal allows 31 days per request; one day stays far below its maximum of listed transactions. */
const WINDOW_MS = DAY_MS
/** PayPal's list uses whole seconds. */
const SMALLEST_WINDOW_MS = 2 * SECOND_MS

/** Codes of money that was paid to the account begin with this. */
const PAID = 'T00'
/** Statuses of transactions that were denied or are still pending. */
const NOTHING_BROUGHT: readonly (string | null | undefined)[] = ['D', 'P']
const COMPLETED = 'S'

/**
 * The captures of this gateway since a time, from PayPal's list of transactions. The list is up to
 * three hours behind, so what differs from our books is read again. Captures that were refunded or
 * disputed are read in full. Throws `credentials` if the app may not search transactions.
 */
export async function* listPayments(api: PaypalApi, since: Instant): AsyncGenerator<ListedPayment> {
  const disputes = await disputesSince(api, since)
  const { sales, touched } = await salesSince(api, since)
  for (const [id, sale] of sales) {
    const again = () => whole(api, id, disputes.get(id) ?? [])
    const quiet = sale.transaction_status === COMPLETED && !touched.has(id) && !disputes.has(id)
    yield quiet ? { told: [asListed(api, id, sale)], again } : { told: await again() }
  }
}

type Sales = { sales: Map<string, TransactionInfo>; touched: Set<string> }

/** What was paid to this gateway, by capture, and the transactions that others refer to. */
async function salesSince(api: PaypalApi, since: Instant): Promise<Sales> {
  const sales: Sales['sales'] = new Map()
  const touched: Sales['touched'] = new Set()
  // PayPal's clock was not moved with ours.
  const now = instant(Date.now())
  for (let from = since; from < now; from = later(from, WINDOW_MS)) {
    const end = later(from, WINDOW_MS)
    for await (const row of transactionsBetween(api, from, end < now ? end : now)) {
      const { transaction_id: id, paypal_reference_id: about } = row
      if (about && about !== id) touched.add(about)
      if (id && isSale(api, row)) sales.set(id, row)
    }
  }
  return { sales, touched }
}

function isSale(api: PaypalApi, row: TransactionInfo): boolean {
  const { installationId, gatewayId } = api.context
  const own = correlationIn(row.custom_field)
  if (own?.installationId !== installationId || own.gatewayId !== gatewayId) return false
  if (!row.transaction_event_code?.startsWith(PAID)) return false
  if (NOTHING_BROUGHT.includes(row.transaction_status)) return false
  return row.transaction_amount ? moneyOf(row.transaction_amount).amountCents > 0 : false
}

/** Reads a period page by page; one with more transactions than PayPal lists is read in halves. */
async function* transactionsBetween(
  api: PaypalApi,
  from: Instant,
  to: Instant,
): AsyncGenerator<TransactionInfo> {
  let pages = 1
  for (let page = 1; page <= pages; page += 1) {
    const query = new URLSearchParams({
      ...{ start_date: from, end_date: to, fields: 'transaction_info' },
      ...{ page_size: String(PAGE_SIZE), page: String(page) },
    })
    try {
      const answer = await api.read(`/v1/reporting/transactions?${query}`, Transactions)
      pages = answer.total_pages ?? 1
      for (const { transaction_info: row } of answer.transaction_details ?? []) if (row) yield row
    } catch (error) {
      const spanMs = millis(to) - millis(from)
      if (!isTooMuch(error) || spanMs < SMALLEST_WINDOW_MS) throw error
      const middle = later(from, Math.floor(spanMs / 2))
      yield* transactionsBetween(api, from, middle)
      yield* transactionsBetween(api, middle, to)
      return
    }
  }
}

function isTooMuch(error: unknown): boolean {
  return error instanceof GatewayError && error.providerCode === 'RESULTSET_TOO_LARGE'
}

/** A capture without refunds and disputes, as the list contains it. */
function asListed(api: PaypalApi, paymentId: string, row: TransactionInfo): Observation {
  const { transaction_amount: amount, transaction_initiation_date: at } = row
  if (!amount) throw new GatewayError('unavailable', 'PayPal: the answer holds no amount.')
  const received = moneyOf(amount)
  const correlation = correlationIn(row.custom_field)
  return {
    type: 'payment',
    payment: {
      ref: { paymentId },
      ...(correlation && { correlation }),
      ...{ state: 'paid', requested: received, received },
      ...{ refundedCents: cents(0), disputedCents: cents(0) },
      ...(at && { paidAt: instant(at) }),
      observedAt: api.context.now(),
    },
  }
}

/** The current state of a capture: the payment, then its refunds and disputes. */
async function whole(
  api: PaypalApi,
  captureId: string,
  disputes: readonly DisputeSnapshot[],
): Promise<readonly Observation[]> {
  const told = observations(api, await orderOfCapture(api, captureId))
  const held = sumCents(disputes.map(({ fundsHeldCents }) => fundsHeldCents))
  return [
    ...told.map((it) =>
      it.type === 'payment' ? { ...it, payment: { ...it.payment, disputedCents: held } } : it,
    ),
    ...disputes.map((dispute) => ({ type: 'dispute' as const, dispute })),
  ]
}

/** Disputes that were opened since a time, by the capture they are about. */
async function disputesSince(
  api: PaypalApi,
  since: Instant,
): Promise<Map<string, DisputeSnapshot[]>> {
  const found = new Map<string, DisputeSnapshot[]>()
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({
      ...{ create_time_after: since, page_size: String(DISPUTES_PAGE_SIZE), page: String(page) },
    })
    const { items } = await api.read(`/v1/customer/disputes?${query}`, Disputes)
    for (const { dispute_id: id } of items ?? []) {
      const dispute = await api.read(`/v1/customer/disputes/${encodeURIComponent(id)}`, Dispute)
      const captureId = dispute.disputed_transactions[0]?.seller_transaction_id
      if (!captureId) continue
      const snapshot = disputeOf(dispute, captureId, api.context.now())
      found.set(captureId, [...(found.get(captureId) ?? []), snapshot])
    }
    if ((items?.length ?? 0) < DISPUTES_PAGE_SIZE) return found
  }
}
