import type { ImportView } from '#imports'
import { formatAmount, isCurrency } from '#lib/currency.ts'

type Report = NonNullable<ImportView['report']>
type Sums = Report['controls'][string]['source']

/** How many ids of rows are shown for each reason. */
const SHOWN_IDS = 5
const SHOWN_TABLES = 8

/** The amount of each resource that best shows whether it was imported completely. */
const TOTALS: Readonly<Record<string, readonly [name: string, amount: string]>> = {
  invoices: ['invoices', 'totalCents'],
  transactions: ['payments', 'amountInCents'],
  creditBalances: ['credit', 'balanceCents'],
  services: ['services, per cycle', 'recurringCents'],
  affiliates: ['affiliates', 'balanceCents'],
}

const ORDER = [
  ...['users', 'services', 'invoices', 'invoiceItems', 'transactions', 'creditBalances'],
  ...['creditLedger', 'orders', 'categories', 'products', 'plans', 'coupons', 'taxRates'],
]

const ENDS: Readonly<Record<string, string>> = {
  completed: 'All of it adds up.',
  completed_with_failures:
    'The totals match, but some rows could not be read: they are listed as failed above.',
  not_reconciled: 'It does not add up. Do not go on with it before you know why:',
  canceled: 'It was canceled, and nothing of it is here.',
}

/** A summary of an import that has ended, in lines, the most important last. */
export function summaryOf({ id, status, dryRun, file, fault, report }: ImportView): string {
  if (fault) {
    const at = fault.line === null ? '' : ` Line ${fault.line}, byte ${fault.byte}.`
    return `${status}: ${fault.message}${at} (${fault.code}) Nothing was changed.`
  }
  if (!report) return `${status}: ${ENDS[status] ?? 'The log says why.'}`
  const { system, version } = report.source
  const parts = [
    [`${file.name}: ${system}${version ? ` ${version}` : ''}`],
    listed('Missing from the dump', missingIn(report)),
    rowsOf(report, dryRun),
    moneyOf(report),
    listed('Look at', warningsOf(report)),
    listed('Not taken over', tablesOf(report)),
    listed('To do', report.actionsNeeded),
    [
      `${status}: ${ENDS[status] ?? ''}`,
      ...report.differences,
      dryRun
        ? 'This was a dry run: nothing was changed.'
        : `All rows that were left out: GET /v1/admin/imports/${id}/rows`,
    ],
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function missingIn({ missingTables }: Report): string[] {
  return missingTables.length > 0 ? [missingTables.join(', ')] : []
}

const COLUMNS = ['read', 'imported', 'merged', 'skipped', 'failed'] as const

function rowsOf({ resources }: Report, dryRun: boolean): string[] {
  const line = (name: string, cells: readonly (string | number)[]) =>
    [name.padEnd(20), ...cells.map((cell) => String(cell).padStart(9))].join(' ')
  const entries = Object.entries(resources)
  const ordered = entries.toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  const lines = ordered.flatMap(([name, it]) => [
    line(
      name,
      COLUMNS.map((column) => it[column]),
    ),
    ...it.reasons.map(({ code, outcome, count, rows }) => {
      const ids = rows.slice(0, SHOWN_IDS).map((row) => row.id)
      return `    ${outcome} ${code}: ${count} (${idsIn(it.table, ids, count)})`
    }),
  ])
  const head = line(dryRun ? 'What would become of' : 'What became of', COLUMNS)
  return [head, ...lines]
}

/** People first, then what they have and owe; resources that are not listed come last. */
function placeOf(resource: string): number {
  const place = ORDER.indexOf(resource)
  return place < 0 ? ORDER.length : place
}

function idsIn(table: string, ids: readonly string[], count: number): string {
  return `${table} ${ids.join(', ')}${count > ids.length ? ', …' : ''}`
}

function moneyOf({ controls }: Report): string[] {
  const lines = Object.entries(TOTALS).flatMap(([resource, [name, amount]]) => {
    const control = controls[resource]
    if (!control) return []
    return Object.keys(control.source).map((currency) => {
      const sum = (sums: Sums) => shown(sums[currency]?.[amount] ?? 0, currency)
      const { source, imported, skipped, failed } = control
      const cells = [source, imported, skipped, failed].map((it) => sum(it).padStart(16))
      return [`${name} ${currency}`.padEnd(24), ...cells].join(' ')
    })
  })
  const heads = ['there', 'taken over', 'left out', 'failed'].map((it) => it.padStart(16))
  return lines.length === 0 ? [] : [['Money'.padEnd(24), ...heads].join(' '), ...lines]
}

/** An amount in the format for people; in cents if its currency is unknown, or if it is too large for a number. */
function shown(cents: number | string, currency: string): string {
  if (typeof cents === 'string' || !isCurrency(currency)) return `${cents} cents`
  return formatAmount(cents, currency)
}

function warningsOf({ warnings }: Report): string[] {
  return warnings.map(({ code, table, count, rows }) => {
    return `${code}: ${count} (${idsIn(table, rows.slice(0, SHOWN_IDS), count)})`
  })
}

function tablesOf({ tables }: Report): string[] {
  const left = tables.filter(({ use, rows }) => use === 'not_imported' && rows > 0)
  // Tables with amounts come first, so that they are always listed.
  const most = left.toSorted((a, b) => sumsIn(b).length - sumsIn(a).length || b.rows - a.rows)
  const lines = most
    .slice(0, SHOWN_TABLES)
    .map((it) => [`${it.table}: ${it.rows} rows`, ...sumsIn(it)].join(', '))
  const rest = most.length - lines.length
  return rest > 0 ? [...lines, `and ${rest} tables more`] : lines
}

function sumsIn({ sumsCents = {} }: Report['tables'][number]): string[] {
  const sums = Object.entries(sumsCents).filter(([, sum]) => sum !== '0')
  return sums.map(([column, sum]) => `${column} ${sum} cents in all`)
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `    ${line}`)]
}
