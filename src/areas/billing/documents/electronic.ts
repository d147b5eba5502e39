import { decimalsOf, decimalText } from '#lib/currency.ts'
import { roundDiv, sumCents } from '#lib/money.ts'
import type { TaxCategory } from '#lib/tax.ts'
import { type Day, dayOf } from '#lib/time.ts'
import type { Party, PrintedDocument, PrintedLine, PrintedTax } from './content.ts'
import {
  frenchAddress,
  type Identifier,
  legalIdOf,
  mailAddress,
  peppolAddress,
  sirenOf,
  vatIdOf,
} from './identity.ts'
import { plainText } from './xml.ts'

/**
 * The rules that an e-invoice follows beside EN 16931 (R7.3): those between French businesses, those of the
 * Peppol network, or none.
 */
export type Profile = 'french' | 'peppol' | 'plain'

export type ElectronicParty = {
  readonly party: Party
  /** BT-29: only if there is no other identifier. */
  readonly ownId: string | null
  readonly legalId: Identifier | null
  readonly vatId: string | null
  /** BT-32: a local tax number, for a seller without a VAT number. */
  readonly taxId: string | null
  readonly address: Identifier | null
}

export type ElectronicLine = {
  readonly id: string
  readonly name: string
  readonly quantity: string
  /** How many units the price is for; null: one unit. */
  readonly baseQuantity: string | null
  readonly price: string
  readonly allowance: { readonly amount: string; readonly reason: string } | null
  readonly net: string
  readonly category: TaxCategory
  readonly rate: string | null
  readonly period: PrintedLine['period']
}

export type ElectronicTax = {
  readonly category: TaxCategory
  readonly rate: string | null
  readonly base: string
  readonly tax: string
  readonly exemption: { readonly code: string | null; readonly text: string } | null
}

/** A document as EN 16931 defines it: every value is the text written into the XML. */
export type ElectronicInvoice = {
  readonly profile: Profile
  /** BT-23 between French businesses. */
  readonly process: string | null
  readonly isCreditNote: boolean
  readonly number: string
  readonly issuedOn: Day
  readonly dueOn: Day | null
  readonly currency: string
  readonly notes: readonly { readonly code: string | null; readonly text: string }[]
  readonly buyerReference: string | null
  readonly seller: ElectronicParty
  readonly buyer: ElectronicParty
  readonly lines: readonly ElectronicLine[]
  readonly taxes: readonly ElectronicTax[]
  readonly terms: string | null
  /** BG-14. */
  readonly supply: PrintedLine['period']
  /** BT-72. */
  readonly suppliedOn: Day | null
  readonly transfer: Transfer | null
  readonly corrects: { readonly number: string; readonly issuedOn: Day } | null
  readonly totals: Totals
}

type Transfer = {
  readonly code: '30' | '58'
  readonly iban: string
  readonly bic: string | null
  readonly accountName: string
  /** BT-83. */
  readonly reference: string | null
}

type Totals = {
  readonly lines: string
  readonly net: string
  readonly tax: string
  readonly total: string
  readonly paid: string | null
  readonly due: string
}

/** Subject codes of notes (UNTDID 4451) that French law requires between businesses (R7.3). */
const NOTE_CODES = ['PMT', 'PMD', 'AAB']
const PRICE_DECIMALS = 6

/** A numbered document as an e-invoice. Throws a RangeError for one without a number. */
export function electronicInvoice(document: PrintedDocument): ElectronicInvoice {
  const { number, issuedAt, currency, kind, corrects, texts } = document
  if (number === null) throw new RangeError('Without a number there is no e-invoice')
  const amount = (value: number) => decimalText(value, currency)
  const profile = profileOf(document)
  const isCreditNote = kind === 'credit_note'
  return {
    profile,
    process: processOf(document, profile),
    ...{ isCreditNote, number, currency, issuedOn: dayOf(issuedAt) },
    dueOn: dueOnOf(document, profile),
    ...{ supply: document.supply, suppliedOn: document.suppliedOn },
    notes: notesOf(document),
    buyerReference: profile === 'peppol' ? document.userId : null,
    seller: sellerOf(document, profile),
    buyer: buyerOf(document, profile),
    lines: document.lines.map((line, index) => lineOf(line, index, document)),
    taxes: document.taxes.map((tax) => taxOf(tax, document)),
    terms: isCreditNote ? texts.creditTerms : paidTerms(document),
    transfer: transferOf(document),
    corrects: corrects && { number: corrects.number, issuedOn: dayOf(corrects.issuedAt) },
    totals: {
      lines: amount(sumCents(document.lines.map((line) => line.netCents))),
      net: amount(document.netCents),
      tax: amount(document.taxCents),
      total: amount(document.totalCents),
      paid: document.paidCents === 0 ? null : amount(document.paidCents),
      due: amount(document.dueCents),
    },
  }
}

/** A rate in percent: 550 basis points are `5.50`. */
function percentText(basisPoints: number): string {
  return `${Math.trunc(basisPoints / 100)}.${String(basisPoints % 100).padStart(2, '0')}`
}

/** What one unit costs before discounts, to six decimals at most (R7.2); never negative. */
export function unitPriceText(
  { beforeCents, quantity }: Pick<PrintedLine, 'beforeCents' | 'quantity'>,
  currency: string,
): string {
  const decimals = decimalsOf(currency)
  const units = BigInt(Math.max(1, Math.abs(quantity)))
  const scale = 10n ** BigInt(PRICE_DECIMALS - decimals)
  const scaled = roundDiv(BigInt(Math.abs(beforeCents)) * scale, units)
  const digits = String(scaled).padStart(PRICE_DECIMALS + 1, '0')
  const whole = digits.slice(0, -PRICE_DECIMALS)
  const fraction = digits.slice(-PRICE_DECIMALS).replace(/0+$/, '').padEnd(decimals, '0')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Half of a hundredth of a currency's unit, in millionths, the unit of prices. */
const HALF_HUNDREDTH = 5000n

/**
 * Whether quantity × price differs from the amount, because six decimals are not enough for a large quantity:
 * then the price is given for the whole quantity (BT-149).
 */
function isInexact({ beforeCents, quantity }: PrintedLine, price: string, currency: string) {
  const [whole = '0', fraction = ''] = price.split('.')
  const each = BigInt(whole + fraction.padEnd(PRICE_DECIMALS, '0'))
  const scale = 10n ** BigInt(PRICE_DECIMALS - decimalsOf(currency))
  const apart = each * BigInt(Math.abs(quantity)) - BigInt(Math.abs(beforeCents)) * scale
  return apart > HALF_HUNDREDTH || apart < -HALF_HUNDREDTH
}

function lineOf(line: PrintedLine, index: number, document: PrintedDocument): ElectronicLine {
  const { currency, texts } = document
  const { category, rateBasisPoints, period, beforeCents, discountCents } = line
  const single = unitPriceText(line, currency)
  const whole = isInexact(line, single, currency)
  return {
    id: String(index + 1),
    name: plainText(line.description) || texts.description,
    quantity: String(line.quantity),
    baseQuantity: whole ? String(Math.abs(line.quantity)) : null,
    price: whole ? unitPriceText({ beforeCents, quantity: 1 }, currency) : single,
    allowance:
      discountCents === 0
        ? null
        : { amount: decimalText(discountCents, currency), reason: texts.discountReason },
    net: decimalText(line.netCents, currency),
    ...{ category, rate: rateOf(category, rateBasisPoints), period },
  }
}

function taxOf(tax: PrintedTax, { currency, mentions, texts }: PrintedDocument): ElectronicTax {
  const { category, rateBasisPoints } = tax
  const mention = mentions.find(({ code }) => EXEMPTION_CODES[category].includes(code))
  const fallback = { AE: texts.reverseCharge, O: texts.notSubject, E: texts.exempt, S: '' }
  const code = mention?.code.startsWith('VATEX-') ? mention.code : CODES[category]
  return {
    ...{ category, rate: rateOf(category, rateBasisPoints) },
    base: decimalText(tax.netCents, currency),
    tax: decimalText(tax.taxCents, currency),
    exemption: category === 'S' ? null : { code, text: mention?.text ?? fallback[category] },
  }
}

const CODES = { S: null, AE: 'VATEX-EU-AE', O: 'VATEX-EU-O', E: null } as const
const EXEMPTION_CODES: Readonly<Record<TaxCategory, readonly string[]>> = {
  S: [],
  AE: ['VATEX-EU-AE'],
  O: ['VATEX-EU-O'],
  E: ['VATEX-FR-FRANCHISE', 'EXEMPT'],
}

/** Sales out of scope have no rate, not even 0 (BR-O-05). */
function rateOf(category: TaxCategory, rateBasisPoints: number | null): string | null {
  return category === 'O' ? null : percentText(category === 'S' ? (rateBasisPoints ?? 0) : 0)
}

function isOutOfScope({ taxes }: PrintedDocument): boolean {
  return taxes.some(({ category }) => category === 'O')
}

function profileOf(document: PrintedDocument): Profile {
  const { seller, buyer } = document
  if (isOutOfScope(document)) return 'plain'
  if (sirenOf(seller) && sirenOf(buyer)) return 'french'
  return peppolAddress(seller) && peppolAddress(buyer) ? 'peppol' : 'plain'
}

/** French invoices state whether they are already paid: S2, otherwise S1. */
function processOf({ dueCents, kind }: PrintedDocument, profile: Profile): string | null {
  if (profile !== 'french') return null
  return dueCents === 0 && kind === 'invoice' ? 'S2' : 'S1'
}

/** A paid invoice has no due date; between French businesses it has the day of the payment instead. */
function dueOnOf({ dueOn, dueCents, settledOn }: PrintedDocument, profile: Profile): Day | null {
  if (dueCents !== 0) return dueOn
  return profile === 'french' ? (settledOn ?? dueOn) : null
}

/** How a settled invoice was paid: BT-20 is the only field for it. */
function paidTerms(document: PrintedDocument): string | null {
  const { payments, settledOn, texts, currency } = document
  if (settledOn === null) return null
  const paid = payments.map(
    ({ paidOn, means, amountCents }) =>
      `${texts.paidBy(means, paidOn)}: ${decimalText(amountCents, currency)} ${currency}`,
  )
  return paid.join('; ')
}

function notesOf({ mentions, reason }: PrintedDocument): ElectronicInvoice['notes'] {
  const coded = NOTE_CODES.flatMap((code) => mentions.find((it) => it.code === code) ?? [])
  return reason === null ? coded : [...coded, { code: null, text: reason }]
}

/**
 * The seller. Out of scope of VAT an e-invoice may not contain a VAT number (BR-O-02): the register number, or
 * at least one of our ids, then identifies the seller (BR-CO-26).
 */
function sellerOf(document: PrintedDocument, profile: Profile): ElectronicParty {
  const { seller: party, tenantId } = document
  const outOfScope = isOutOfScope(document)
  const legalId = legalIdOf(party)
  const vatId = outOfScope ? null : vatIdOf(party)
  const taxId = outOfScope || vatId ? null : party.registerNumber
  const ownId = legalId || vatId ? null : tenantId
  return { party, ownId, legalId, vatId, taxId, address: addressOf(party, profile) }
}

function buyerOf(document: PrintedDocument, profile: Profile): ElectronicParty {
  const { buyer: party } = document
  const vatId = isOutOfScope(document) ? null : vatIdOf(party)
  const address = addressOf(party, profile)
  return { party, ownId: null, legalId: legalIdOf(party), vatId, taxId: null, address }
}

function addressOf(party: Party, profile: Profile): Identifier | null {
  const siren = sirenOf(party)
  if (profile === 'french' && siren) return frenchAddress(siren)
  return profile === 'peppol' ? peppolAddress(party) : mailAddress(party)
}

/** How to pay what is due by transfer; 58 is a SEPA transfer, 30 any other (BR-61). */
function transferOf(document: PrintedDocument): Transfer | null {
  const { seller, dueCents, kind, currency, transferReference: reference } = document
  const { iban, bic, name } = seller
  if (iban === null || dueCents === 0 || kind !== 'invoice') return null
  const code = currency === 'EUR' ? '58' : '30'
  const account = { iban: plainAccount(iban), bic: bic && plainAccount(bic), accountName: name }
  return { code, ...account, reference }
}

function plainAccount(text: string): string {
  return text.replace(/\s/g, '').toUpperCase()
}
