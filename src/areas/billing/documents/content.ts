import { decimalsOf } from '#lib/currency.ts'
import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { PriceMode, TaxCategory } from '#lib/tax.ts'
import { DAY_MS, type Day, day, dayOf, type Instant, later } from '#lib/time.ts'
import type { PrintedTexts } from '#notifications'
import type { CreditNoteLineRow, CreditNoteRow } from '../credit-notes/queries.ts'
import type { InvoiceParts, InvoiceRow } from '../invoices/queries.ts'
import { printedTextsIn } from '../texts.ts'
import type { DocumentFacts } from './queries.ts'
import { plainText } from './xml.ts'

/** What a document is: it determines the title, the number and whether there is an e-invoice. */
export type PrintedKind = 'invoice' | 'pro_forma' | 'credit_note' | 'top_up'

export type Party = {
  readonly name: string
  /** The person, if `name` is a company. */
  readonly contact: string | null
  readonly line1: string | null
  readonly line2: string | null
  readonly postcode: string | null
  readonly city: string | null
  readonly region: string | null
  readonly country: string
  readonly email: string | null
  readonly vatNumber: string | null
  readonly registerNumber: string | null
}

/**
 * One line, net of tax. Quantity × unit price is `beforeCents`; minus the discount it is `netCents`.
 * A line that takes back has a negative quantity, never a negative price (R7.2).
 */
export type PrintedLine = {
  readonly description: string
  readonly quantity: number
  readonly beforeCents: Cents
  readonly discountCents: Cents
  readonly netCents: Cents
  readonly category: TaxCategory
  readonly rateBasisPoints: number | null
  /** First and last day of the period that the line charges. */
  readonly period: { readonly from: Day; readonly to: Day } | null
}

export type PrintedTax = {
  readonly category: TaxCategory
  readonly rateBasisPoints: number | null
  readonly netCents: Cents
  readonly taxCents: Cents
}

export type PrintedPayment = {
  readonly paidOn: Day | null
  /** The means of payment, in the reader's language. */
  readonly means: string
  readonly amountCents: Cents
}

/** Everything a document contains, in cents of its currency; made of frozen rows alone (R2.8). */
export type PrintedDocument = {
  readonly kind: PrintedKind
  readonly number: string | null
  readonly issuedAt: Instant
  readonly dueOn: Day | null
  /** What identifies a transfer that pays it; the invoice's number if there was no reference yet. */
  readonly transferReference: string | null
  readonly currency: string
  readonly texts: PrintedTexts
  readonly seller: Party & { readonly iban: string | null; readonly bic: string | null }
  readonly buyer: Party
  /** Identifies the seller and the customer by our ids, if nothing else does. */
  readonly tenantId: string
  readonly userId: string
  readonly lines: readonly PrintedLine[]
  readonly taxes: readonly PrintedTax[]
  readonly netCents: Cents
  readonly taxCents: Cents
  readonly totalCents: Cents
  readonly paidCents: Cents
  readonly dueCents: Cents
  /** What was paid and how; empty if that is not known. */
  readonly payments: readonly PrintedPayment[]
  /** The day of the payment after which nothing was due. */
  readonly settledOn: Day | null
  /** First and last day of everything the lines charge. */
  readonly supply: PrintedLine['period']
  /** The day on which the ordered service begins, if only the payment determines it (R3.11). */
  readonly suppliedOn: Day | null
  readonly mentions: readonly { readonly code: string; readonly text: string }[]
  /** What a credit note corrects, and why. */
  readonly corrects: { readonly number: string; readonly issuedAt: Instant } | null
  readonly reason: string | null
  readonly brand: Pick<DocumentFacts, 'brandName' | 'color' | 'footer'>
}

/** An invoice, or the pro forma of one, as it is printed. */
export function printedInvoice(
  row: InvoiceRow,
  { lines, taxes }: InvoiceParts,
  facts: DocumentFacts,
): PrintedDocument {
  const { tenantId, userId, number, currency, netCents, taxCents, totalCents, mentions } = row
  const kind = printedKindOf(row)
  const paidCents = cents(facts.paidCents)
  const texts = printedTextsIn(String(row.buyer.locale ?? 'en'))
  const dueCents = cents(totalCents - paidCents)
  const payments = paymentsOf(facts, texts)
  const settledOn = dueCents === 0 ? lastDay(payments) : null
  const printedLines = lines.map((line) => lineOf(line, row.priceMode))
  const supply = supplyOf(printedLines)
  const fromTopUp = row.kind === 'top_up' ? [{ code: 'TOP-UP', text: texts.topUpMention }] : []
  return {
    ...{ kind, number, currency, tenantId, userId, netCents, taxCents, totalCents, texts },
    issuedAt: row.issuedAt ?? row.createdAt,
    dueOn: row.dueAt && dayOf(row.dueAt),
    transferReference: row.transferReference ?? number,
    ...partiesOf(row),
    lines: printedLines,
    taxes: merged(taxes),
    ...{ paidCents, dueCents, payments, settledOn, supply },
    suppliedOn: supply === null && row.kind === 'checkout' ? settledOn : null,
    mentions: [...mentions, ...fromTopUp],
    corrects: null,
    reason: null,
    brand: facts,
  }
}

/** A credit note as it is printed: one line for each tax group, in positive amounts (R3.6). */
export function printedCreditNote(
  note: CreditNoteRow,
  groups: readonly CreditNoteLineRow[],
  facts: DocumentFacts,
): PrintedDocument {
  const { tenantId, userId, number, issuedAt, currency, mentions, reason } = note
  const { netCents, taxCents, totalCents } = note
  const texts = printedTextsIn(String(note.buyer.locale ?? 'en'))
  return {
    ...{ kind: 'credit_note', number, issuedAt, currency, tenantId, userId, mentions, texts },
    ...{ netCents, taxCents, totalCents, reason },
    dueOn: null,
    transferReference: null,
    ...partiesOf(note),
    lines: groups.map(({ category, rateBasisPoints, netCents: net }) => ({
      description: texts.creditOn(note.invoiceNumber),
      quantity: 1,
      ...{ beforeCents: net, discountCents: cents(0), netCents: net },
      ...{ category, rateBasisPoints, period: null },
    })),
    taxes: merged(groups),
    paidCents: cents(0),
    dueCents: totalCents,
    ...{ payments: [], settledOn: null, supply: null, suppliedOn: null },
    corrects: { number: note.invoiceNumber, issuedAt: note.invoiceIssuedAt },
    brand: facts,
  }
}

function paymentsOf({ payments = [] }: DocumentFacts, texts: PrintedTexts): PrintedPayment[] {
  return payments.map(({ paidOn, means, detail, amountCents }) => ({
    paidOn: paidOn === null ? null : day(paidOn),
    means: [means === 'other' && detail ? null : texts.means[means], detail]
      .filter((it) => it !== null)
      .join(' '),
    amountCents: cents(amountCents),
  }))
}

function lastDay(payments: readonly PrintedPayment[]): Day | null {
  return payments.reduce<Day | null>(
    (last, { paidOn }) => (paidOn !== null && (last === null || paidOn > last) ? paidOn : last),
    null,
  )
}

/** From the first to the last day of all periods of the lines. */
function supplyOf(lines: readonly PrintedLine[]): PrintedLine['period'] {
  return lines.reduce<PrintedLine['period']>((all, { period }) => {
    if (!all || !period) return all ?? period
    const from = period.from < all.from ? period.from : all.from
    return { from, to: period.to > all.to ? period.to : all.to }
  }, null)
}

/** The kind of document that an invoice is printed as. */
export function printedKindOf({ number, kind }: Pick<InvoiceRow, 'number' | 'kind'>): PrintedKind {
  if (number === null) return 'pro_forma'
  return kind === 'top_up' ? 'top_up' : 'invoice'
}

/** Whether an e-invoice can be written: its amounts have two decimals at most (BR-DEC). */
export function hasElectronicForm(kind: PrintedKind, currency: string): boolean {
  return (kind === 'invoice' || kind === 'credit_note') && decimalsOf(currency) <= 2
}

type LineRow = InvoiceParts['lines'][number]

function lineOf(line: LineRow, mode: PriceMode): PrintedLine {
  const { description, netCents, taxCategory: category, rateBasisPoints } = line
  const discountCents = netDiscount(line, mode)
  const beforeCents = sumCents([netCents, discountCents])
  const quantity = beforeCents < 0 ? -Math.abs(line.quantity) : Math.abs(line.quantity)
  return {
    ...{ description, quantity, beforeCents, discountCents, netCents, category, rateBasisPoints },
    period: periodOf(line),
  }
}

/** The discount on a gross price without its tax: the amount before it is net as well (R1.6). */
function netDiscount({ discountCents, rateBasisPoints }: LineRow, mode: PriceMode): Cents {
  return mode === 'exclusive'
    ? discountCents
    : portion(discountCents, 10_000, 10_000 + (rateBasisPoints ?? 0))
}

/** The end of a period is not part of it: the day before is printed (R4.1). */
function periodOf({ periodStart, periodEnd }: LineRow): PrintedLine['period'] {
  if (!periodStart || !periodEnd) return null
  const from = dayOf(periodStart)
  const to = dayOf(later(periodEnd, -DAY_MS))
  return { from, to: to < from ? from : to }
}

/** One group for each category and rate: an e-invoice may have only one (BR-S-08). */
function merged(groups: readonly PrintedTax[]): PrintedTax[] {
  const found = Map.groupBy(groups, (it) => `${it.category} ${it.rateBasisPoints}`)
  return [...found.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { category, rateBasisPoints } = first
    const all = [first, ...others]
    const netCents = sumCents(all.map((it) => it.netCents))
    return { category, rateBasisPoints, netCents, taxCents: sumCents(all.map((it) => it.taxCents)) }
  })
}

type Frozen = Pick<InvoiceRow, 'seller' | 'buyer'> & { taxCountry?: string | null }

function partiesOf({
  seller,
  buyer,
  taxCountry,
}: Frozen): Pick<PrintedDocument, 'seller' | 'buyer'> {
  const sold = partyOf(seller, null)
  return {
    seller: { ...sold, iban: textOf(seller.iban), bic: textOf(seller.bic) },
    buyer: partyOf(buyer, taxCountry ?? sold.country),
  }
}

function partyOf(frozen: InvoiceRow['seller'], fallbackCountry: string | null): Party {
  const company = textOf(frozen.company)
  const person = textOf(frozen.name)
  return {
    name: company ?? person ?? '-',
    contact: company === null ? null : person,
    line1: textOf(frozen.line1),
    line2: textOf(frozen.line2),
    postcode: textOf(frozen.postcode),
    city: textOf(frozen.city),
    region: textOf(frozen.region),
    country: textOf(frozen.country) ?? fallbackCountry ?? 'FR',
    email: textOf(frozen.email),
    vatNumber:
      textOf(frozen.vatNumber)
        ?.replace(/[\s.-]/g, '')
        .toUpperCase() ?? null,
    registerNumber: textOf(frozen.registerNumber),
  }
}

/** The text as typed, or null if it is empty or a dash, which stands for nothing. */
function textOf(value: string | boolean | null | undefined): string | null {
  const text = typeof value === 'string' ? plainText(value) : ''
  return text === '' || text === '-' ? null : text
}
