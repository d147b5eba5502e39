import { type Day, dayOf, type Instant } from '#lib/time.ts'
import { EU_COUNTRIES, standardRateOn } from '#lib/vat.ts'
import { amountCell, dayCell } from './cells.ts'
import { plainText } from './charset.ts'
import { standingOf } from './charts.ts'
import { COLUMNS, TEXT_COLUMNS } from './datev-columns.ts'
import { type BookedDocument, type BookedGroup, customerOf, type Entry } from './entry.ts'
import type { DatevAccount, Treatment } from './settings.ts'

/** What the rows depend on besides the bookings. */
export type DatevBooks = {
  readonly accounts: Readonly<Record<DatevAccount, string>>
  /** Revenue accounts of further domestic tax rates, by basis points. */
  readonly rates: ReadonlyMap<number, string>
  readonly taxKeys: Partial<Record<Treatment, string>>
  /** The drivers of the gateways, by their ids. */
  readonly drivers: ReadonlyMap<string, string>
  /** The debtor account of a customer. */
  readonly debtorOf: (userId: string) => string
}

/** One row of a stack of bookings: an amount above 0 on an account and on the account against it. */
export type DatevRow = {
  readonly amountCents: number
  /** S: a debit on the account; H: a credit. */
  readonly side: 'S' | 'H'
  readonly currency: string
  readonly account: string
  readonly counterAccount: string
  readonly taxKey: string
  readonly at: Instant
  readonly number: string
  readonly text: string
  /** The VAT number of the customer, or the EU country whose tax was charged. */
  readonly euPlace: string
  readonly euRateBasisPoints: number | null
  readonly customer: string
  readonly serviceOn: Instant | null
  readonly dueAt: Instant | null
}

const SET = 'windows-1252'
const LONGEST_TEXT = 60
const LONGEST_NUMBER = 36
const LONGEST_NAME = 210

/**
 * The rows of a transaction: a document has one for each tax group, and two for a tax of a country outside the EU;
 * everything else has one for each debit and its credit. What stays on the same account has none.
 */
export function datevRows(entry: Entry, books: DatevBooks): DatevRow[] {
  const { document } = entry
  const rows = document ? documentRows(entry, document, books) : transferRows(entry, books)
  return rows.filter(({ amountCents, account, counterAccount }) => {
    return amountCents !== 0 && account !== counterAccount
  })
}

function documentRows(entry: Entry, document: BookedDocument, books: DatevBooks): DatevRow[] {
  const { userId } = document
  const sign = entry.kind === 'credit_note' ? -1 : 1
  return document.groups.flatMap((group) =>
    salesOf(group, document, entry, books).map(({ cents, ...sale }) => ({
      ...{ ...commonTo(entry), ...sale, ...sided(sign * cents) },
      account: books.debtorOf(userId),
      text: textOf(group.product ?? entry.number ?? '', userId),
      customer: document.customer,
      ...{ serviceOn: group.periodStart, dueAt: document.dueAt },
    })),
  )
}

type Sale = Pick<DatevRow, 'counterAccount' | 'taxKey' | 'euPlace' | 'euRateBasisPoints'> & {
  readonly cents: number
}

/** Where a tax group of a document is booked, with its gross. */
function salesOf(
  group: BookedGroup,
  { home, vatNumber }: BookedDocument,
  { at }: Entry,
  { accounts, rates, taxKeys }: DatevBooks,
): Sale[] {
  const { category, country, rateBasisPoints, netCents, taxCents } = group
  const treatment = treatmentOf(group, home, dayOf(at))
  const own = treatment.startsWith('domestic') ? rates.get(rateBasisPoints ?? 0) : undefined
  const isElsewhere = treatment === 'oneStopShop'
  const place = isElsewhere ? (country === 'GR' ? 'EL' : country) : ''
  const sale = {
    counterAccount: own ?? accounts[treatment],
    taxKey: own ? '' : (taxKeys[treatment] ?? ''),
    euPlace: category === 'AE' ? (vatNumber ?? '').replace(/\s/g, '') : place,
    euRateBasisPoints: isElsewhere ? rateBasisPoints : null,
  }
  if (treatment !== 'outsideEu' || taxCents === 0) return [{ ...sale, cents: netCents + taxCents }]
  const tax = { ...sale, counterAccount: accounts.outsideEuTax, taxKey: '', cents: taxCents }
  return [{ ...sale, cents: netCents }, tax]
}

/** How a tax group of a document was taxed, as seen from the country of the seller. */
function treatmentOf(
  { category, country, rateBasisPoints }: BookedGroup,
  home: string,
  on: Day,
): Treatment {
  if (category === 'E') return 'taxExempt'
  if (category === 'AE') return 'reverseCharge'
  if (category === 'O') return country === home ? 'outOfScope' : 'outsideEu'
  if (country !== home) return EU_COUNTRIES.includes(country) ? 'oneStopShop' : 'outsideEu'
  const isStandard = rateBasisPoints === standardRateOn(home, on)
  return isStandard ? 'domesticStandard' : 'domesticReduced'
}

/** Each debit with the credits against it, in their order. */
function transferRows(entry: Entry, books: DatevBooks): DatevRow[] {
  const accountOf = (code: string): string => {
    const standing = standingOf(code, books.drivers)
    if (standing.kind === 'receivable') return books.debtorOf(standing.userId)
    if (standing.kind === 'shared') return books.accounts[standing.account]
    throw new Error(`The ledger transaction ${entry.id} sells something without a document`)
  }
  const left = entry.postings.map((it) => ({ ...it }))
  const [debits, credits] = [
    left.filter(({ amountCents }) => amountCents > 0),
    left.filter(({ amountCents }) => amountCents < 0),
  ]
  const word = WORDS[entry.kind] ?? 'Umbuchung'
  const text = textOf([word, entry.number].filter(Boolean).join(' '), customerOf(entry))
  const rows: DatevRow[] = []
  for (const debit of debits) {
    for (const credit of credits) {
      const cents = Math.min(debit.amountCents, -credit.amountCents)
      debit.amountCents -= cents
      credit.amountCents += cents
      rows.push({
        ...{ ...commonTo(entry), ...sided(cents), text },
        ...{ account: accountOf(debit.account), counterAccount: accountOf(credit.account) },
        ...{ taxKey: '', euPlace: '', euRateBasisPoints: null, customer: '' },
        ...{ serviceOn: null, dueAt: null },
      })
    }
  }
  return rows
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ payment_received: 'Zahlung', top_up: 'Aufladung', gateway_fee: 'Gebühr' },
  ...{ refund: 'Erstattung', refund_failed: 'Erstattung zurück', dispute_fee: 'Gebühr' },
  ...{ written_off: 'Ausbuchung', write_off_recovered: 'Ausbuchung zurück' },
  ...{ credit_applied: 'Guthaben', goodwill: 'Kulanz', goodwill_removed: 'Kulanz zurück' },
  ...{ voucher_redeemed: 'Gutschein eingelöst' },
  ...{ dispute_opened: 'Rückbuchung', dispute_won: 'Rückbuchung gewonnen' },
  ...{ dispute_lost: 'Rückbuchung verloren', dispute_recovered: 'Rückbuchung zurück' },
  ...{ commission: 'Provision', commission_reversed: 'Provision zurück' },
}

function commonTo({ currency, at, number, id }: Entry) {
  return { currency, at, number: numberCell(number ?? id) }
}

function sided(cents: number): Pick<DatevRow, 'amountCents' | 'side'> {
  return { amountCents: Math.abs(cents), side: cents < 0 ? 'H' : 'S' }
}

/** What was sold or done, cut so that the id of the customer fits behind it. */
function textOf(about: string, userId: string | null): string {
  if (userId === null) return plainText(SET, about, LONGEST_TEXT)
  return `${plainText(SET, about, LONGEST_TEXT - userId.length - 1)} ${userId}`.trimStart()
}

function numberCell(number: string): string {
  return number.replace(/[^A-Za-z0-9_$%/-]/g, '-').slice(0, LONGEST_NUMBER)
}

/** A row as a line of the file, without its line end. */
export function datevLine(row: DatevRow): string {
  const { currency, at, euRateBasisPoints: rate, serviceOn, dueAt, customer } = row
  const name = plainText(SET, customer, LONGEST_NAME)
  const filled: Readonly<Record<number, string>> = {
    ...{ 1: amountCell(row.amountCents, currency), 2: row.side, 3: currency },
    ...{ 7: row.account, 8: row.counterAccount, 9: row.taxKey, 10: dateCell(at).slice(0, 4) },
    ...{ 11: row.number, 14: row.text, 40: plainText(SET, row.euPlace, 15) },
    41: rate === null ? '' : (rate / 100).toFixed(2).replace('.', ',').padStart(5, '0'),
    ...{ 48: name === '' ? '' : 'Kunde', 49: name, 114: '0' },
    115: serviceOn === null ? '' : dateCell(serviceOn),
    117: dueAt === null ? '' : dateCell(dueAt),
  }
  const cells = COLUMNS.map((_, at) => {
    const value = filled[at + 1] ?? ''
    return TEXT_COLUMNS.has(at + 1) ? quoted(value) : value
  })
  return cells.join(';')
}

/** What a file says about itself. */
export type DatevStack = {
  readonly consultant: string
  readonly client: string
  readonly chart: 'skr03' | 'skr04'
  readonly accountLength: number
  readonly fiscalYearOn: Day
  readonly from: Day
  readonly to: Day
  readonly currency: string
}

/** The first line of a file. It is dated at the end of its last day, so that the same days give the same file. */
export function datevHeader(stack: DatevStack): string {
  const [from, to] = [dayCell(stack.from), dayCell(stack.to)]
  return [
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13', `${to}235959999`, '', '"RE"'],
    ...['"Moorage"', '""', stack.consultant, stack.client, dayCell(stack.fiscalYearOn)],
    ...[String(stack.accountLength), from, to, quoted(`Buchungen ${stack.from.slice(0, 7)}`), '""'],
    ...['1', '0', '0', quoted(stack.currency), '', '""', '', ''],
    ...[quoted(stack.chart.slice(3)), '', '', '""', '""'],
  ].join(';')
}

/** The second line of a file: its headings. */
export const DATEV_HEADINGS = COLUMNS.join(';')

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** DDMMYYYY. */
function dateCell(at: Instant): string {
  return `${at.slice(8, 10)}${at.slice(5, 7)}${at.slice(0, 4)}`
}
