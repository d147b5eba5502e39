import { type InvoiceParts, type InvoiceRow, partsOf } from '#billing'
import { allocate, type Cents, portion, sumCents } from '#lib/money.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockServicesOfOrder, type ServiceRow } from './queries.ts'

type Unit = Pick<ServiceRow, 'id' | 'orderItemId'>
type Ordered = Unit & Pick<ServiceRow, 'orderId'>

/** What the lines of an invoice charge for one service, in cents, tax included. */
export async function linesFor(
  tx: Tx,
  service: Ordered,
  { tenantId, id }: Pick<InvoiceRow, 'tenantId' | 'id'>,
): Promise<Cents[]> {
  const { lines } = await partsOf(tx, { tenantId, invoiceId: id })
  const { orderId } = service
  const ordered = orderId ? await lockServicesOfOrder(tx, tenantId, orderId) : []
  return partsOfLines(service, lines, ordered)
}

/** What an invoice charged one service for a period, fees left out, in cents, tax included. */
export async function periodShareOf(
  tx: Tx,
  service: Ordered,
  { tenantId, id }: Pick<InvoiceRow, 'tenantId' | 'id'>,
): Promise<Cents> {
  const { lines } = await partsOf(tx, { tenantId, invoiceId: id })
  const { orderId } = service
  const ordered = orderId ? await lockServicesOfOrder(tx, tenantId, orderId) : []
  const own = lines.filter((it) => partOf(service, it, it.totalCents, ordered) !== undefined)
  const periods = own.filter((it) => chargesPeriod(it, own))
  return sumCents(partsOfLines(service, periods, ordered))
}

/**
 * Whether a line of a service charges a period: its first line, for the plan, and those of components do. The others
 * are fees.
 */
export function chargesPeriod<L extends Pick<InvoiceParts['lines'][number], 'component'>>(
  line: L,
  own: readonly L[],
): boolean {
  return line === own[0] || line.component !== null
}

/** What an imported invoice charges for one service, tax included; its lines may exclude tax. */
export async function importedShareOf(
  tx: Tx,
  service: Ordered,
  invoice: Pick<InvoiceRow, 'tenantId' | 'id' | 'totalCents'>,
): Promise<Cents> {
  const { tenantId, id: invoiceId, totalCents } = invoice
  const share = sumCents(await linesFor(tx, service, invoice))
  const { lines } = await partsOf(tx, { tenantId, invoiceId })
  const all = sumCents(lines.map((it) => it.totalCents))
  return all > 0 ? portion(totalCents, share, all) : share
}

/** What the lines of an invoice charge for one service, in cents; `ordered` are the services of its order. */
export function shareOf(
  service: Unit,
  lines: InvoiceParts['lines'],
  ordered: readonly Unit[],
): Cents {
  return sumCents(partsOfLines(service, lines, ordered))
}

/** Likewise, line by line. */
function partsOfLines(
  service: Unit,
  lines: InvoiceParts['lines'],
  ordered: readonly Unit[],
): Cents[] {
  return lines.flatMap((line) => partOf(service, line, line.totalCents, ordered) ?? [])
}

type Line = Pick<InvoiceParts['lines'][number], 'serviceId' | 'quantity'>

/**
 * A service's share of an amount of a line; undefined if the line is for other services. A line for several units of an
 * order names the first, and is shared evenly.
 */
export function partOf(
  service: Unit,
  { serviceId, quantity }: Line,
  amountCents: Cents,
  ordered: readonly Unit[],
): Cents | undefined {
  const units = ordered.filter(({ orderItemId }) => orderItemId === service.orderItemId)
  if (units.length < 2 || quantity !== units.length) {
    return serviceId === service.id ? amountCents : undefined
  }
  if (!units.some(({ id }) => id === serviceId)) return undefined
  const place = units.findIndex(({ id }) => id === service.id)
  return allocate(amountCents, new Array<number>(units.length).fill(1))[place]
}
