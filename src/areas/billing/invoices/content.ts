import { createHash } from 'node:crypto'
import type { Instant } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import type { Seller } from '#tenants'
import type { BillingProfile } from '#users'
import type { InvoiceParts } from './queries.ts'

type TaxRow = Row<'billing.invoice_taxes'>

/** The buyer on an invoice, frozen for ever, whatever the customer changes later (R2.8). */
export function frozenBuyer(profile: BillingProfile): Record<string, string | null> {
  const { name, company, email, vatNumber, vatStatus, locale, address } = profile
  return {
    name,
    company,
    email,
    vatNumber,
    vatStatus,
    locale,
    line1: address?.line1 ?? null,
    line2: address?.line2 ?? null,
    postcode: address?.postcode ?? null,
    city: address?.city ?? null,
    region: address?.region ?? null,
    country: address?.country ?? profile.country,
  }
}

/** The seller on an invoice, frozen for ever (R2.8). */
export function frozenSeller(seller: Seller): Record<string, string | boolean | null> {
  return { ...seller }
}

type Mention = { code: string; text: string }
type Words = Readonly<Record<string, string>>

const EXEMPT: Words = {
  FR: 'TVA non applicable, art. 293 B du CGI',
  DE: 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.',
}
const REVERSE_CHARGE: Words = {
  FR: 'Autoliquidation',
  DE: 'Steuerschuldnerschaft des Leistungsempfängers',
}
/** French terms between businesses, by the code of their note in an e-invoice. */
const TERMS_FR: readonly Mention[] = [
  { code: 'FR-SERVICES', text: 'Prestation de services.' },
  {
    code: 'PMT',
    text: 'Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 EUR.',
  },
  {
    code: 'PMD',
    text:
      'Pénalités de retard : taux de refinancement de la Banque centrale européenne majoré de ' +
      '10 points.',
  },
  { code: 'AAB', text: 'Pas d’escompte pour paiement anticipé.' },
]

/** The sentences the law requires: why a sale bears no VAT, and French terms of payment (R3.11). */
export function mentionsOf(
  taxes: readonly Pick<TaxRow, 'category'>[],
  { seller, buyer }: { seller: Seller; buyer: ReturnType<typeof frozenBuyer> },
): Mention[] {
  const categories = new Set(taxes.map(({ category }) => category))
  const mentions: Mention[] = []
  if (categories.has('AE')) {
    const text = ['Reverse charge', REVERSE_CHARGE[buyer.country ?? '']].filter(Boolean).join(' / ')
    mentions.push({ code: 'VATEX-EU-AE', text })
  }
  if (categories.has('O')) {
    const outside = seller.taxStatus === 'not_subject' ? '' : ', art. 44/59 Directive 2006/112/EC'
    const text = `Not subject to VAT${outside}`
    mentions.push({ code: 'VATEX-EU-O', text })
  }
  if (categories.has('E')) {
    const code = seller.country === 'FR' ? 'VATEX-FR-FRANCHISE' : 'EXEMPT'
    mentions.push({ code, text: EXEMPT[seller.country] ?? 'Exempt from VAT' })
  }
  if (seller.country === 'FR' && (buyer.company || buyer.vatNumber)) mentions.push(...TERMS_FR)
  return mentions
}

type Content = {
  invoice: Row<'billing.invoices'>
  lines: InvoiceParts['lines']
  taxes: readonly TaxRow[]
}

/** SHA-256 over everything an issued invoice contains, in canonical JSON (R2.8). */
export function invoiceHash(
  { invoice, lines, taxes }: Content,
  { number, issuedAt }: { number: string; issuedAt: Instant },
): Buffer {
  return contentHash({
    number,
    issuedAt,
    userId: invoice.userId,
    kind: invoice.kind,
    reference: invoice.reference,
    currency: invoice.currency,
    priceMode: invoice.priceMode,
    subtotalCents: invoice.subtotalCents,
    discountCents: invoice.discountCents,
    netCents: invoice.netCents,
    taxCents: invoice.taxCents,
    totalCents: invoice.totalCents,
    seller: invoice.seller,
    buyer: invoice.buyer,
    taxCountry: invoice.taxCountry,
    taxReason: invoice.taxReason,
    mentions: invoice.mentions,
    // Invoices from before evidence was stored have their original hash.
    ...(invoice.evidence && { evidence: invoice.evidence }),
    // The component that a line charges is not part of what the invoice states.
    lines: lines.map(({ component, ...line }) => line),
    taxes,
  })
}

type NoteContent = Omit<
  Row<'billing.credit_notes'>,
  'tenantId' | 'contentHash' | 'createdAt' | 'anonymizedAt' | 'reasonKey' | 'reasonFacts'
>
type NoteGroup = Omit<Row<'billing.credit_note_lines'>, 'tenantId' | 'creditNoteId' | 'position'>

/** SHA-256 over everything a credit note contains, in canonical JSON (R2.8). */
export function creditNoteHash(content: NoteContent, groups: readonly NoteGroup[]): Buffer {
  return contentHash({ ...content, groups })
}

/** SHA-256 over a value as JSON whose keys are sorted: the same value always has the same one. */
function contentHash(value: unknown): Buffer {
  return createHash('sha256').update(canonical(value)).digest()
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
