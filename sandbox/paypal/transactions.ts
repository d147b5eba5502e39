import { type Answer, type Call, ok, type Place, Refused } from './call.ts'
import { type Capture, type Money, moneyOf, type Order, unitsOf } from './store.ts'

const LONGEST_MS = 31 * 24 * 3600 * 1000
const MOST_OF_A_PAGE = 500
/** RFC 3339 with seconds. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

type Row = {
  transaction_id: string
  paypal_reference_id?: string
  paypal_reference_id_type?: 'ODR' | 'TXN'
  transaction_event_code: string
  transaction_initiation_date: string
  transaction_updated_date: string
  transaction_amount: Money
  transaction_status: 'S' | 'P' | 'V'
  custom_field?: string
  invoice_id?: string
}

/** Money that came and went in a time, oldest first, as far as the list has got. */
export function listTransactions({ store }: Place, _: string[], { query }: Call): Answer {
  const { allowed, behindMs, most } = store.search
  if (!allowed) throw refused(403, 'NOT_AUTHORIZED')
  const [start, end] = [timeIn(query.get('start_date')), timeIn(query.get('end_date'))]
  const size = Number(query.get('page_size') ?? 100)
  const page = Number(query.get('page') ?? 1)
  const wrong = start > end || end - start > LONGEST_MS || size > MOST_OF_A_PAGE || page < 1
  if (wrong) throw refused(400, 'INVALID_REQUEST')
  const refreshed = Date.now() - behindMs
  const all = [...store.orders.values()].flatMap(rowsOf).filter((row) => {
    const at = Date.parse(row.transaction_initiation_date)
    return at >= start && at <= end && at <= refreshed
  })
  if (all.length > most) throw refused(400, 'RESULTSET_TOO_LARGE')
  return ok({
    transaction_details: all
      .slice((page - 1) * size, page * size)
      .map((row) => ({ transaction_info: row })),
    ...{ account_number: 'PAYERACCOUNT1', page, total_items: all.length },
    total_pages: Math.ceil(all.length / size),
    last_refreshed_datetime: told(new Date(refreshed).toISOString()),
  })
}

function refused(status: number, named: string): Refused {
  return new Refused(status, 'The request is refused as a whole.', named)
}

function timeIn(text: string | null): number {
  if (text === null || !TIME.test(text)) throw refused(400, 'INVALID_REQUEST')
  return Date.parse(text)
}

/** PayPal tells times of this list without a colon in the zone. */
function told(time: string): string {
  return time.replace(/\.\d+Z$/, '+0000')
}

function rowsOf({ id, customId, invoiceId, captures, refunds }: Order): Row[] {
  const ours = {
    ...(customId && { custom_field: customId }),
    ...(invoiceId && { invoice_id: invoiceId }),
  }
  const sales = captures.map((capture) => ({
    ...{ transaction_id: capture.id, transaction_event_code: 'T0006' },
    ...{ paypal_reference_id: id, paypal_reference_id_type: 'ODR' as const },
    ...datesOf(capture.create_time),
    transaction_amount: capture.amount,
    transaction_status: statusOf(capture),
    ...ours,
  }))
  const [capture] = captures
  const back = refunds.map((refund) => ({
    ...{ transaction_id: refund.id, transaction_event_code: 'T1107' },
    ...(capture && {
      ...{ paypal_reference_id: capture.id, paypal_reference_id_type: 'TXN' as const },
    }),
    ...datesOf(refund.create_time),
    transaction_amount: moneyOf(-unitsOf(refund.amount), refund.amount.currency_code),
    transaction_status: refund.status === 'PENDING' ? ('P' as const) : ('S' as const),
    ...ours,
  }))
  return [...sales, ...back]
}

function datesOf(time: string) {
  return { transaction_initiation_date: told(time), transaction_updated_date: told(time) }
}

function statusOf({ status }: Capture): Row['transaction_status'] {
  if (status === 'PENDING') return 'P'
  return status === 'REFUNDED' ? 'V' : 'S'
}
