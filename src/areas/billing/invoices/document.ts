import { newId } from '#lib/id.ts'
import { type BasisPoints, type Cents, sumCents } from '#lib/money.ts'
import type { PriceMode, TaxCategory, TaxTreatment } from '#lib/tax.ts'
import type { Instant } from '#lib/time.ts'
import type { Seller } from '#tenants'
import type { BillingProfile } from '#users'
import { frozenBuyer, frozenSeller, mentionsOf } from './content.ts'
import type { InvoiceParts } from './queries.ts'
import type { InvoiceKind } from './schema.ts'

type Amounts = {
  readonly subtotalCents: Cents
  readonly discountCents: Cents
  readonly netCents: Cents
  readonly taxCents: Cents
  readonly totalCents: Cents
}

/** One line of an invoice to be created, in cents. */
export type DocumentLine = Amounts & {
  readonly description: string
  readonly quantity: number
  readonly unitPriceCents: Cents
  readonly tax: Pick<TaxTreatment, 'category' | 'rateBasisPoints' | 'country'>
  readonly productId?: string | null
  readonly serviceId?: string | null
  /** The component of the service whose period it charges; null for the plan, and for what is charged once. */
  readonly component?: string | null
  readonly periodStart?: Instant | null
  readonly periodEnd?: Instant | null
}

/** A priced order in the form of an invoice: nothing is calculated again. */
export type InvoiceDocument = Amounts & {
  readonly currency: string
  readonly priceMode: PriceMode
  readonly lines: readonly DocumentLine[]
  readonly taxes: readonly {
    readonly category: TaxCategory
    readonly rateBasisPoints: BasisPoints | null
    readonly country: string
    readonly netCents: Cents
    readonly taxCents: Cents
  }[]
  readonly taxCountry?: string
  readonly taxReason?: string
}

/** Throws a RangeError for a document whose parts do not add up: our bug, never the user's mistake. */
function assertAddsUp({ lines, taxes, ...document }: InvoiceDocument): void {
  const { netCents, taxCents, totalCents } = document
  const sums = {
    net: sumCents(lines.map((line) => line.netCents)) - netCents,
    total: sumCents(lines.map((line) => line.totalCents)) - totalCents,
    'net of taxes': sumCents(taxes.map((tax) => tax.netCents)) - netCents,
    tax: sumCents(taxes.map((tax) => tax.taxCents)) - taxCents,
    'net and tax': sumCents([netCents, taxCents]) - totalCents,
  }
  const wrong = Object.entries(sums).find(([, difference]) => difference !== 0)
  if (wrong) throw new RangeError(`The ${wrong[0]} of an invoice is off by ${wrong[1]} cents`)
}

type Parties = { kind: InvoiceKind; seller: Seller; profile: BillingProfile }

/** The content of an invoice as columns of its row: amounts, and both parties as they are now. */
export function statementOf(document: InvoiceDocument, { kind, seller, profile }: Parties) {
  assertAddsUp(document)
  const buyer = frozenBuyer(profile)
  const { subtotalCents, discountCents, netCents, taxCents, totalCents } = document
  return {
    ...{ currency: document.currency, priceMode: document.priceMode },
    ...{ subtotalCents, discountCents, netCents, taxCents, totalCents },
    ...{ seller: frozenSeller(seller), buyer },
    taxCountry: document.taxCountry ?? null,
    taxReason: document.taxReason ?? null,
    mentions: kind === 'top_up' ? [] : mentionsOf(document.taxes, { seller, buyer }),
  }
}

/** The rows of a document's lines and tax groups. */
export function rowsOf(
  { lines, taxes }: InvoiceDocument,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
): InvoiceParts {
  return {
    lines: lines.map(({ tax, ...line }, position) => ({
      tenantId,
      id: newId(),
      invoiceId,
      position,
      description: line.description,
      serviceId: line.serviceId ?? null,
      productId: line.productId ?? null,
      quantity: line.quantity,
      unitPriceCents: line.unitPriceCents,
      subtotalCents: line.subtotalCents,
      discountCents: line.discountCents,
      netCents: line.netCents,
      taxCents: line.taxCents,
      totalCents: line.totalCents,
      taxCategory: tax.category,
      rateBasisPoints: tax.rateBasisPoints,
      taxCountry: tax.country,
      periodStart: line.periodStart ?? null,
      periodEnd: line.periodEnd ?? null,
      component: line.component ?? null,
    })),
    taxes: taxes.map(({ category, rateBasisPoints, country, netCents, taxCents }, position) => ({
      ...{ tenantId, invoiceId, position },
      ...{ category, rateBasisPoints, country, netCents, taxCents },
    })),
  }
}
