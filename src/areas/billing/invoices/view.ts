import type { Instant } from '#lib/time.ts'
import type { InvoiceParts, InvoiceRow } from './queries.ts'
import { displayStatusOf, dueCents, isOverdue } from './rules.ts'
import type { InvoiceView } from './schema.ts'

/** An invoice as its customer sees it. `parts` may include those of other invoices. */
export function invoiceView(row: InvoiceRow, parts: InvoiceParts, now: Instant): InvoiceView {
  const { id, number, kind, status, disputed, currency, subtotalCents, discountCents } = row
  const { netCents, taxCents, totalCents, paidCents, creditedCents, refundedCents } = row
  const { createdAt, issuedAt, dueAt, paidAt, voidedAt } = row
  return {
    ...{ id, number, kind, status, displayStatus: displayStatusOf(row, now) },
    ...{ overdue: isOverdue(row, now), disputed, currency, subtotalCents, discountCents },
    ...{ netCents, taxCents, totalCents, dueCents: dueCents(row) },
    ...{ paidCents, creditedCents, refundedCents },
    lines: parts.lines.filter(({ invoiceId }) => invoiceId === id).map(lineView),
    taxes: parts.taxes.filter(({ invoiceId }) => invoiceId === id).map(taxView),
    orderId: kind === 'checkout' ? row.reference : null,
    replacedBy: row.replacedBy,
    ...{ createdAt, issuedAt, dueAt, paidAt, voidedAt },
  }
}

/** An invoice as an administrator sees it. */
export function adminInvoiceView(
  row: InvoiceRow,
  parts: InvoiceParts,
  customer: { name: string; email: string } | undefined,
  now: Instant,
) {
  const { userId, reference, reversedCents, heldCreditCents, voidReason } = row
  const { series, writtenOffAt, evidence, evidenceConflict } = row
  return {
    ...invoiceView(row, parts, now),
    ...{ customerName: customer?.name ?? '', customerEmail: customer?.email ?? '' },
    ...{ userId, reference, reversedCents, heldCreditCents, voidReason, series, writtenOffAt },
    ...{ evidence, evidenceConflict },
  }
}

function lineView(line: InvoiceParts['lines'][number]) {
  const { id, description, quantity, unitPriceCents, discountCents } = line
  // A line for several services names the first of them.
  const serviceId = Math.abs(quantity) === 1 ? line.serviceId : null
  const { netCents, taxCents, totalCents } = line
  const { rateBasisPoints, taxCategory, periodStart, periodEnd } = line
  return {
    ...{ id, description, serviceId, quantity, unitPriceCents, discountCents },
    ...{ netCents, taxCents, totalCents, rateBasisPoints, taxCategory, periodStart, periodEnd },
  }
}

function taxView({ category, rateBasisPoints, netCents, taxCents }: InvoiceParts['taxes'][number]) {
  return { category, rateBasisPoints, netCents, taxCents }
}
