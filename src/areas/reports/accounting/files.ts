import { gatewayDrivers } from '#billing'
import { debtorNumbers, listCurrencies } from '#ledger'
import type { Db } from '#platform/database/index.ts'
import type { ArchivedFile } from '#platform/http/archive.ts'
import { namesOf } from '#users'
import { encoded } from './charset.ts'
import { datevAccounts, fecAccounts } from './charts.ts'
import { DATEV_HEADINGS, datevHeader, datevLine, datevRows } from './datev.ts'
import { entriesOf, type Period } from './entries.ts'
import { customerOf, type Entry } from './entry.ts'
import { FEC_COLUMNS, fecLines, fecName, fecText } from './fec.ts'
import type { AccountingSettings } from './settings.ts'
import { type YearPart, yearParts } from './years.ts'

/** The most rows that a stack of bookings may have. */
const MOST_ROWS = 99_999

/** The stacks of bookings of a period for DATEV: one for each currency and fiscal year, and more for many rows. */
export async function* datevFiles(
  db: Db,
  period: Period,
  settings: AccountingSettings,
  mostRows = MOST_ROWS,
): AsyncGenerator<ArchivedFile> {
  const { tenantId } = period
  const { datevChart: chart, datevConsultant: consultant, datevClient: client } = settings
  const { datevAccountLength: accountLength, datevTaxKeys: taxKeys } = settings
  const accounts = datevAccounts(settings)
  const drivers = await gatewayDrivers(db, tenantId)
  const rates = new Map(settings.datevRates.map(rateOf))
  for await (const { part, currency } of stacksOf(db, period, settings)) {
    const { startOn: from, endOn: to, fiscalYearOn } = part
    const about = { consultant, client, chart, accountLength, fiscalYearOn, from, to, currency }
    async function* lines() {
      for await (const entries of entriesOf(db, { tenantId, ...spanOf(part) }, currency)) {
        const numbers = await debtorNumbers(db, tenantId, customersOf(entries))
        const debtorOf = (userId: string) =>
          settings.datevDebtors === 'collective'
            ? accounts.collectiveDebtor
            : String(10 ** accountLength + (numbers.get(userId) ?? 0))
        const books = { accounts, rates, taxKeys, drivers, debtorOf }
        yield entries.flatMap((entry) => datevRows(entry, books)).map(datevLine)
      }
    }
    const head = [datevHeader(about), DATEV_HEADINGS]
    const named = (file: number) => `EXTF_Buchungsstapel_${currency}_${from}_${to}_${file}.csv`
    yield* cutFiles(lines(), { head, mostRows, named, charset: 'windows-1252' })
  }
}

/** The sales ledger of a period as an FEC: a file for each fiscal year, and for each other currency in a folder. */
export async function* fecFiles(
  db: Db,
  period: Period,
  {
    siren,
    ...settings
  }: Pick<AccountingSettings, 'fecAccounts' | 'fiscalYearMonth'> & {
    readonly siren: string
  },
): AsyncGenerator<ArchivedFile> {
  const { tenantId } = period
  const accounts = fecAccounts(settings.fecAccounts)
  const drivers = await gatewayDrivers(db, tenantId)
  for await (const { part, currency } of stacksOf(db, period, settings)) {
    async function* lines() {
      let sequence = 0
      for await (const entries of entriesOf(db, { tenantId, ...spanOf(part) }, currency)) {
        const names = await namesOf(db, tenantId, customersOf(entries))
        const nameOf = (userId: string) => names.get(userId)?.name ?? ''
        const books = { accounts, drivers, nameOf }
        yield entries.flatMap((entry) => {
          sequence += 1
          return fecLines(entry, sequence, books).map(fecText)
        })
      }
    }
    const folder = currency === 'EUR' ? '' : `${currency}/`
    const named = () => `${folder}${fecName(siren, part.endOn)}`
    const head = [FEC_COLUMNS.join('\t')]
    const form = { head, named, charset: 'iso-8859-15' as const }
    yield* cutFiles(lines(), { ...form, mostRows: Number.POSITIVE_INFINITY })
  }
}

/** Every currency with every fiscal year of a period. */
async function* stacksOf(
  db: Db,
  period: Period,
  { fiscalYearMonth }: Pick<AccountingSettings, 'fiscalYearMonth'>,
): AsyncGenerator<{ part: YearPart; currency: string }> {
  for (const currency of await listCurrencies(db, period.tenantId)) {
    for (const part of yearParts(period, fiscalYearMonth)) yield { part, currency }
  }
}

type Form = {
  readonly head: readonly string[]
  readonly mostRows: number
  readonly named: (file: number) => string
  readonly charset: Parameters<typeof encoded>[0]
}

/** Lines as files that begin with the same head and have at most `mostRows` others; none for no lines. */
async function* cutFiles(
  batches: AsyncGenerator<readonly string[]>,
  { head, mostRows, named, charset }: Form,
): AsyncGenerator<ArchivedFile> {
  let left: readonly string[] = []
  const more = async () => {
    while (left.length === 0) {
      const next = await batches.next()
      if (next.done) return false
      left = next.value
    }
    return true
  }
  async function* content() {
    yield encoded(charset, inLines(head))
    for (let free = mostRows; free > 0 && (await more()); ) {
      const taken = left.slice(0, free)
      left = left.slice(taken.length)
      free -= taken.length
      yield encoded(charset, inLines(taken))
    }
  }
  for (let file = 1; await more(); file += 1) yield { path: named(file), content: content() }
}

function inLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('')
}

function customersOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap((entry) => customerOf(entry) ?? []))]
}

function spanOf({ from, to }: YearPart) {
  return { from, to }
}

/** The basis points and the account of `13=4013`. */
function rateOf(setting: string): readonly [number, string] {
  const [rate = '', account = ''] = setting.split('=')
  return [Math.round(Number(rate) * 100), account]
}
