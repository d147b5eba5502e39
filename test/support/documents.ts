import type { InvoiceParts, InvoiceRow } from '#billing'
import { newId } from '#lib/id.ts'
import { basisPoints, type Cents, cents, sumCents } from '#lib/money.ts'
import type { PriceMode, TaxCategory } from '#lib/tax.ts'
import { type Instant, instant } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { type CouponTerms, type OrderLine, price } from '#store'

/** An invoice as it is frozen when it is issued, priced by the shop's own rules; nothing is stored. */
export type Issued = { readonly row: InvoiceRow; readonly parts: InvoiceParts }

export type WantedLine = {
  description?: string
  quantity?: number
  unitPriceCents: number
  category?: TaxCategory
  rate?: number
  period?: readonly [string, string]
}

export type WantedDocument = {
  lines: readonly WantedLine[]
  mode?: PriceMode
  currency?: string
  coupons?: readonly CouponTerms[]
  seller?: Partial<InvoiceRow['seller']>
  buyer?: Partial<InvoiceRow['buyer']>
  mentions?: InvoiceRow['mentions']
  paidCents?: number
  number?: string | null
  kind?: InvoiceRow['kind']
}

export const ISSUED_AT = instant('2026-05-04T09:30:00Z')
const TENANT = '01900000-0000-7000-8000-00000000000a'
const USER = '01900000-0000-7000-8000-00000000000b'

export const FRENCH_SELLER = {
  ...{ name: 'Héberge & Fils SAS', line1: '12 rue des Lilas', line2: null, postcode: '75011' },
  ...{ city: 'Paris', country: 'FR', email: 'facturation@example.org', bic: 'BNPAFRPP' },
  ...{ vatNumber: 'FR40303265045', registerNumber: '303 265 045 RCS Paris' },
  ...{ iban: 'FR76 3000 6000 0112 3456 7890 189', currency: 'EUR', priceMode: 'exclusive' },
  ...{ taxStatus: 'registered', oneStopShop: true },
}

export const CONSUMER = {
  ...{ name: 'Ada Lovelace', company: null, email: 'ada@example.org', vatNumber: null },
  ...{ vatStatus: 'none', locale: 'en', line1: '1 Analytical Road', line2: null },
  ...{ postcode: '69001', city: 'Lyon', region: null, country: 'FR' },
}

export const GERMAN_BUSINESS = {
  ...{ company: 'Müller Spiele GmbH', vatNumber: 'DE136695976', vatStatus: 'valid' },
  ...{ line1: 'Hauptstraße 5', postcode: '10115', city: 'Berlin', country: 'DE' },
}

/** A coupon over all lines. */
export function couponOf(terms: { percent: number } | { fixed: number }): CouponTerms {
  const percent = 'percent' in terms
  return {
    ...{ code: 'TEST', type: percent ? 'percent' : 'fixed' },
    percentBasisPoints: percent ? basisPoints(terms.percent) : null,
    amountCents: percent ? null : cents(terms.fixed),
    ...{ minimumCents: null, currency: 'EUR', includeSetupFee: false, stackable: false },
    ...{ productIds: [], categoryIds: [], planIds: [], intervals: [] },
  }
}

/** Prices and freezes an invoice. */
export function issued(wanted: WantedDocument): Issued {
  const { mode = 'exclusive', currency = 'EUR', coupons = [], mentions = [] } = wanted
  const buyer = { ...CONSUMER, ...wanted.buyer }
  const { number = 'INV-2026-000001', kind = 'checkout', paidCents = 0 } = wanted
  const priced = price(wanted.lines.map(orderLine), coupons, mode)
  const { subtotalCents, discountCents, netCents, taxCents, totalCents } = priced
  const id = newId()
  const none = cents(0)
  const row: InvoiceRow = {
    ...{ tenantId: TENANT, id, userId: USER, kind, reference: null, status: 'open', number },
    ...{ currency, priceMode: mode, subtotalCents, discountCents, netCents, taxCents, totalCents },
    ...{ paidCents: cents(paidCents), creditedCents: none, refundedCents: none },
    ...{ reversedCents: none, heldCreditCents: none, disputed: false },
    ...{ seller: { ...FRENCH_SELLER, ...wanted.seller }, buyer, mentions },
    ...{ taxCountry: String(buyer.country), taxReason: null, contentHash: null, note: null },
    ...{ voidReason: null, createdAt: ISSUED_AT, issuedAt: number === null ? null : ISSUED_AT },
    ...{ dueAt: instant('2026-05-18T09:30:00Z'), paidAt: null, voidedAt: null },
    ...{ writtenOffAt: null, anonymizedAt: null, draftLines: null, series: null },
    transferReference: 'RF18539007547034',
    ...{ evidence: null, evidenceConflict: false, replacedBy: null, imported: null },
    ...{ sourceSystem: null, sourceId: null, sourceFingerprint: null, targetFingerprint: null },
  }
  return { row, parts: partsOf(priced, wanted.lines, id) }
}

function orderLine(line: WantedLine): OrderLine {
  const { quantity = 1, unitPriceCents, category = 'S', rate = 2000 } = line
  const homeRateBasisPoints = basisPoints(2000)
  const rateBasisPoints = category === 'O' ? null : basisPoints(category === 'S' ? rate : 0)
  return {
    ...{ quantity, unitPriceCents: cents(unitPriceCents), setupFee: false },
    tax: { category, rateBasisPoints, country: 'FR', homeRateBasisPoints },
    ...{ productId: null, categoryId: null, planId: null, interval: null },
  }
}

function partsOf(
  priced: ReturnType<typeof price>,
  wanted: readonly WantedLine[],
  invoiceId: string,
): InvoiceParts {
  return {
    lines: priced.lines.map((line, position) => {
      const { quantity, unitPriceCents, subtotalCents, discountCents } = line
      const { netCents, taxCents, totalCents, tax } = line
      const { description = `Minecraft ${position + 1}`, period } = wanted[position] ?? {}
      return {
        ...{ tenantId: TENANT, id: newId(), invoiceId, position, description },
        ...{ serviceId: null, productId: null, quantity, unitPriceCents, subtotalCents },
        ...{ discountCents, netCents, taxCents, totalCents, taxCategory: tax.category },
        ...{ rateBasisPoints: tax.rateBasisPoints, taxCountry: tax.country },
        periodStart: period ? instant(period[0]) : null,
        periodEnd: period ? instant(period[1]) : null,
        component: null,
      }
    }),
    taxes: priced.taxes.map((tax, position) => ({
      ...{ tenantId: TENANT, invoiceId, position, ...tax },
    })),
  }
}

export type CreditNote = {
  readonly note: Row<'billing.credit_notes'>
  readonly groups: Row<'billing.credit_note_lines'>[]
}

type Group = Pick<Row<'billing.credit_note_lines'>, 'category' | 'rateBasisPoints' | 'country'> & {
  netCents: Cents
  taxCents: Cents
  totalCents: Cents
}

/** A credit note over an invoice, split into these tax groups. */
export function creditNoteOf(
  { row }: Issued,
  split: readonly Group[],
  { issuedAt = ISSUED_AT }: { issuedAt?: Instant } = {},
): CreditNote {
  const { seller, buyer, mentions, currency, userId, id: invoiceId } = row
  const id = newId()
  const sum = (of: 'netCents' | 'taxCents' | 'totalCents') => sumCents(split.map((it) => it[of]))
  return {
    note: {
      ...{ tenantId: TENANT, id, invoiceId, userId, number: 'CN-2026-000001', issuedAt },
      ...{ invoiceNumber: String(row.number), invoiceIssuedAt: ISSUED_AT, reason: 'A late start' },
      ...{ reasonKey: null, reasonFacts: null },
      ...{ currency, netCents: sum('netCents'), taxCents: sum('taxCents') },
      ...{ totalCents: sum('totalCents'), seller, buyer, mentions },
      ...{ contentHash: Buffer.alloc(32), createdAt: issuedAt, anonymizedAt: null },
    },
    groups: split.map((group, position) => ({
      ...{ tenantId: TENANT, creditNoteId: id, position, ...group },
    })),
  }
}

const FRENCH_TERMS = [
  { code: 'FR-SERVICES', text: 'Prestation de services.' },
  { code: 'PMT', text: 'Indemnité forfaitaire pour frais de recouvrement : 40 EUR.' },
  { code: 'PMD', text: 'Pénalités de retard : taux de la BCE majoré de 10 points.' },
  { code: 'AAB', text: 'Pas d’escompte pour paiement anticipé.' },
]

const MONTH = ['2026-05-04T09:30:00Z', '2026-06-04T09:30:00Z'] as const

/** Ten kinds of invoices that must be right, each as it is wanted. */
export const CASES: readonly (readonly [string, WantedDocument])[] = [
  [
    'mixed rates',
    {
      lines: [
        { unitPriceCents: 1299, period: MONTH },
        { unitPriceCents: 999, rate: 550 },
        { unitPriceCents: 450, quantity: 3 },
      ],
    },
  ],
  [
    'reverse charge',
    {
      lines: [{ unitPriceCents: 1000, category: 'AE' }],
      buyer: GERMAN_BUSINESS,
      mentions: [
        {
          code: 'VATEX-EU-AE',
          text: 'Reverse charge / Steuerschuldnerschaft des Leistungsempfängers',
        },
      ],
    },
  ],
  [
    'out of scope',
    {
      lines: [{ unitPriceCents: 1000, category: 'O' }],
      buyer: { company: 'Games Inc.', country: 'US', vatNumber: 'US123456', city: 'Austin' },
      mentions: [
        { code: 'VATEX-EU-O', text: 'Not subject to VAT, art. 44/59 Directive 2006/112/EC' },
      ],
    },
  ],
  ['one stop shop', { lines: [{ unitPriceCents: 1000, rate: 2550 }], buyer: { country: 'FI' } }],
  [
    'proration',
    {
      lines: [
        { description: 'Small, unused', unitPriceCents: 500, quantity: -1, period: MONTH },
        { description: 'Large', unitPriceCents: 1250, period: MONTH },
      ],
    },
  ],
  [
    'paid between French businesses',
    {
      lines: [{ unitPriceCents: 1000 }],
      buyer: { company: 'Jeux SARL', vatNumber: 'FR83404833048', vatStatus: 'valid', locale: 'fr' },
      mentions: FRENCH_TERMS,
      paidCents: 1200,
    },
  ],
  ['zero', { lines: [{ unitPriceCents: 1299 }], coupons: [couponOf({ percent: 10_000 })] }],
  [
    'discount over two rates',
    {
      lines: [
        { unitPriceCents: 1299 },
        { unitPriceCents: 999, rate: 550 },
        { unitPriceCents: 450 },
      ],
      coupons: [couponOf({ percent: 1000 })],
    },
  ],
  [
    'inclusive with a discount',
    {
      mode: 'inclusive',
      lines: [
        { unitPriceCents: 1499, quantity: 3 },
        { unitPriceCents: 999, rate: 550 },
        { unitPriceCents: 3 },
      ],
      coupons: [couponOf({ percent: 2500 })],
      paidCents: 500,
    },
  ],
  [
    'small business',
    {
      lines: [{ unitPriceCents: 1000, category: 'E' }],
      seller: { taxStatus: 'small_business', vatNumber: null, registerNumber: '303265045' },
      mentions: [{ code: 'VATEX-FR-FRANCHISE', text: 'TVA non applicable, art. 293 B du CGI' }],
    },
  ],
]
