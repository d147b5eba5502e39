import assert from 'node:assert/strict'
import { roundDiv } from '#lib/money.ts'
import type { LineRead, Semantic, TaxRead } from './e-invoice.ts'

/** Decimal text in millionths: exact, whatever the number of decimals. */
export function micros(text: string | null): bigint {
  const [, sign = '', whole = '', fraction = ''] =
    /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text ?? '') ?? []
  assert.ok(whole !== '', `not a number: ${text}`)
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
}

const CENT = 10_000n
const UNIT = 1_000_000n

/**
 * The rules of EN 16931 that an e-invoice breaks, by their names (1.3.16 of the official rule set). A
 * tax may be less than `units` of the currency away from its base times rate; the rules allow 1.
 */
export function brokenRules(invoice: Semantic, { units = 1n } = {}): string[] {
  const { lines, taxes, totals, seller, buyer } = invoice
  const taxFitsRate = (tax: TaxRead) => taxApart(tax) < units * UNIT
  const rules: [string, boolean][] = [
    ['BR-02', Boolean(invoice.number)],
    ['BR-06', Boolean(seller.name)],
    ['BR-07', Boolean(buyer.name)],
    ['BR-09', Boolean(seller.country)],
    ['BR-11', Boolean(buyer.country)],
    ['BR-16', lines.length > 0],
    ['BR-25', lines.every((line) => Boolean(line.name))],
    ['BR-27', lines.every((line) => micros(line.price) >= 0n)],
    ['BR-30', lines.every(({ from, to }) => from === null || to === null || from <= to)],
    ['BR-41', lines.every(({ allowance }) => allowance === null || micros(allowance) > 0n)],
    ['BR-42', lines.every((line) => line.allowance === null || line.allowanceReason === '95')],
    ['BR-55', invoice.preceding === null || Boolean(invoice.preceding.number)],
    ['BR-61', invoice.means === null || Boolean(invoice.account)],
    ['BR-CO-10', micros(totals.lines) === sum(lines.map(({ net }) => net))],
    ['BR-CO-11', micros(totals.allowances ?? '0') === sum(invoice.allowances)],
    ['BR-CO-12', micros(totals.charges ?? '0') === sum(invoice.charges)],
    ['BR-CO-13', micros(totals.net) === netOf(totals)],
    ['BR-CO-14', micros(totals.tax) === sum(taxes.map(({ tax }) => tax))],
    ['BR-CO-15', micros(totals.total) === micros(totals.net) + micros(totals.tax)],
    ['BR-CO-16', micros(totals.due) === micros(totals.total) - micros(totals.paid ?? '0')],
    ['BR-CO-17', taxes.every(taxFitsRate)],
    ['BR-CO-18', taxes.length > 0],
    ['BR-CO-25', micros(totals.due) <= 0n || Boolean(invoice.due ?? invoice.terms)],
    ['BR-CO-26', Boolean(seller.ownId ?? seller.legalId ?? seller.vatId)],
    ['BR-DEC', amountsOf(invoice).every((it) => /^-?\d+(\.\d{1,2})?$/.test(it))],
    ['PEPPOL-R120', lines.every(lineAddsUp)],
    ...categoryRules(invoice, taxFitsRate),
  ]
  return rules.filter(([, holds]) => !holds).map(([name]) => name)
}

function categoryRules(
  { lines, taxes, seller, buyer }: Semantic,
  taxFitsRate: (tax: TaxRead) => boolean,
): [string, boolean][] {
  const used = [...new Set(lines.map(({ category }) => category))]
  const groups = (category: string) => taxes.filter((it) => it.category === category)
  const has = (category: string) => used.includes(category)
  const sellerTaxed = Boolean(seller.vatId ?? seller.taxId)
  const bases = (category: string) =>
    groups(category).every(({ base, rate }) => {
      const same = lines.filter((it) => it.category === category && it.rate === rate)
      return micros(base) === sum(same.map(({ net }) => net))
    })
  const untaxed = (category: string) => groups(category).every(({ tax }) => micros(tax) === 0n)
  const reasoned = (category: string) =>
    groups(category).every(({ code, text }) => Boolean(code ?? text))
  const zeroRate = (category: string) =>
    lines.every((it) => it.category !== category || micros(it.rate) === 0n)
  const rates = (category: string) => groups(category).map(({ rate }) => rate)
  return [
    ['BR-S-01', !has('S') || groups('S').length > 0],
    ['BR-S-02', !has('S') || sellerTaxed],
    ['BR-S-05', lines.every((it) => it.category !== 'S' || micros(it.rate) > 0n)],
    ['BR-S-08', bases('S') && new Set(rates('S')).size === rates('S').length],
    ['BR-S-09', groups('S').every(taxFitsRate)],
    ['BR-S-10', groups('S').every(({ code, text }) => code === null && text === null)],
    ['BR-AE-01', !has('AE') || groups('AE').length === 1],
    ['BR-AE-02', !has('AE') || (sellerTaxed && Boolean(buyer.vatId ?? buyer.legalId))],
    ['BR-AE-05', zeroRate('AE')],
    ['BR-AE-08', bases('AE')],
    ['BR-AE-09', untaxed('AE')],
    ['BR-AE-10', reasoned('AE')],
    ['BR-E-01', !has('E') || groups('E').length === 1],
    ['BR-E-02', !has('E') || sellerTaxed],
    ['BR-E-05', zeroRate('E')],
    ['BR-E-08', bases('E')],
    ['BR-E-09', untaxed('E')],
    ['BR-E-10', reasoned('E')],
    ['BR-O-01', !has('O') || groups('O').length === 1],
    ['BR-O-02', !has('O') || (seller.vatId === null && buyer.vatId === null)],
    ['BR-O-05', lines.every(({ category, rate }) => category !== 'O' || rate === null)],
    ['BR-O-08', bases('O')],
    ['BR-O-09', untaxed('O') && groups('O').every(({ rate }) => rate === null)],
    ['BR-O-10', reasoned('O')],
    ['BR-O-11', !has('O') || taxes.length === 1],
    ['BR-O-12', !has('O') || used.length === 1],
    ['BR-CL-VAT', [...used, ...taxes.map((it) => it.category)].every(isCategory)],
  ]
}

function isCategory(category: string | null): boolean {
  return ['S', 'AE', 'E', 'O'].includes(category ?? '')
}

/** Lines less what is taken off the whole, plus what is added to it. */
function netOf({ lines, allowances, charges }: Semantic['totals']): bigint {
  return micros(lines) - micros(allowances ?? '0') + micros(charges ?? '0')
}

function sum(amounts: readonly string[]): bigint {
  return amounts.reduce((total, it) => total + micros(it), 0n)
}

/** How far a tax is from its base times rate, rounded to hundredths of a unit; in millionths. */
function taxApart({ base, tax, rate }: TaxRead): bigint {
  const exact = roundDiv(micros(base) * micros(rate ?? '0'), 100n * UNIT * CENT) * CENT
  const apart = exact - micros(tax)
  return apart < 0n ? -apart : apart
}

/** Quantity times price less the allowance is the line's net, within the two cents Peppol allows. */
function lineAddsUp({ quantity, price, base, allowance, net }: LineRead): boolean {
  const each = micros(price) * micros(quantity)
  const before = roundDiv(each, micros(base ?? '1'))
  const apart = before - micros(allowance ?? '0') - micros(net)
  return apart > -2n * CENT && apart < 2n * CENT
}

function amountsOf({ lines, taxes, totals }: Semantic): string[] {
  return [
    ...lines.flatMap(({ net, allowance }) => [net, allowance]),
    ...taxes.flatMap(({ base, tax }) => [base, tax]),
    ...Object.values(totals),
  ].filter((it) => it !== null)
}
