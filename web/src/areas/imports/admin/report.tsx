import type { components } from '@moorage/client'
import { useAdminTexts } from '../../../texts/admin.tsx'
import type { ReportTexts } from '../../../texts/import-report.ts'
import { Card, type Column, I, Notice, Table, useFormats } from '../../../ui/index.ts'
import type { Import } from './reads.ts'

export type Report = components['schemas']['ImportReport']
type Row = Report['resources'][string] & { readonly name: string }
type Props = { readonly report: Report; readonly words: ReportTexts }

/** The report of an import: differences first, then the next steps, then each resource. */
export function ImportReport({ report, words }: Props) {
  const { imports: texts } = useAdminTexts()
  const { number } = useFormats()
  const rows = rowsOf(report, words)
  const count = (
    id: 'read' | 'imported' | 'merged' | 'skipped' | 'failed',
    small: 'hide' | 'second',
  ): Column<Row> => ({
    ...{ head: texts[id], right: true, small },
    cell: (row) => number(row[id]),
  })
  const columns: readonly Column<Row>[] = [
    {
      head: texts.resource,
      cell: ({ name }) => <span className="strong">{words.resources[name] ?? spelled(name)}</span>,
    },
    count('read', 'hide'),
    count('imported', 'second'),
    count('merged', 'hide'),
    count('skipped', 'hide'),
    count('failed', 'hide'),
  ]
  const { source, differences, missingTables } = report
  const todo = todoOf(report)
  return (
    <>
      {differences.length > 0 ? (
        <Notice tone="failed" title={texts.differences}>
          <ul>
            {differences.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </Notice>
      ) : (
        <Notice tone="active" title={texts.noDifferences}>
          {texts.from(texts.sources[source.system], source.version)}
        </Notice>
      )}
      {missingTables.length > 0 ? (
        <Notice tone="attention" title={texts.missingTables}>
          <span className="mono">{missingTables.join(', ')}</span>
        </Notice>
      ) : null}
      {todo.length > 0 ? (
        <Card title={texts.actions}>
          <ul>
            {todo.map(([code, times]) => (
              <li key={code} className="check">
                <span className="box" aria-hidden />
                <span className="grow">{words.todo[code]?.(number(times))}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      <Card title={texts.report} flush>
        <Table caption={texts.report} rows={rows} columns={columns} rowKey={({ name }) => name} />
      </Card>
      <Reasons rows={rows} words={words} />
      <Warnings report={report} words={words} />
    </>
  )
}

/** The resources that the dump has, in the order of the words for them. */
function rowsOf({ resources }: Report, words: ReportTexts): readonly Row[] {
  const order = Object.keys(words.resources)
  return Object.entries(resources)
    .map(([name, it]) => ({ ...it, name }))
    .filter(({ read }) => read > 0)
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
}

/** Codes of warnings that ask for something, in the order in which it is done. */
const TO_DO = [
  ...['renews_here', 'no_due_date', 'subscription_elsewhere', 'pending_order'],
  ...['effect_not_imported', 'mass_payment', 'password_reset_required', 'second_factor_lost'],
  ...['untaxed_product', 'tax_exempt'],
]

/** What remains to be done by hand after an import: what it is, and how often. */
function todoOf({ warnings, resources }: Report): readonly (readonly [string, number])[] {
  const changed = resources.invoices?.reasons.find(({ code }) => code === 'document_changed')
  return [
    ['document_changed', changed?.count ?? 0] as const,
    ...TO_DO.map((code) => [code, warnings.find((it) => it.code === code)?.count ?? 0] as const),
    ...['taxRates', 'users', 'services'].map(
      (name) => [name, resources[name]?.imported ?? 0] as const,
    ),
  ].filter(([, count]) => count > 0)
}

type ReasonsProps = { readonly rows: readonly Row[]; readonly words: ReportTexts }

function Reasons({ rows, words }: ReasonsProps) {
  const { imports: texts } = useAdminTexts()
  const { number } = useFormats()
  const reasons = rows.flatMap(({ name, reasons: all }) => all.map((it) => ({ ...it, name })))
  if (reasons.length === 0) return null
  return (
    <Card title={texts.reasons}>
      <ul className="stack s8">
        {reasons.map(({ name, code, outcome, count, rows: found }) => (
          <li key={name + code + outcome} className="row between">
            <span>
              <strong>{words.resources[name] ?? spelled(name)}</strong>{' '}
              <span className="dim">· {words.outcomes[outcome] ?? outcome}</span>
              <span className="block">{words.reasons[code] ?? spelled(code)}</span>
              <Found ids={found.map(({ id }) => id)} count={count} words={words} />
            </span>
            <span className="num">{number(count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Warnings({ report: { warnings }, words }: Props) {
  const { imports: texts } = useAdminTexts()
  const { number } = useFormats()
  if (warnings.length === 0) return null
  return (
    <Card title={texts.warnings}>
      <ul className="stack s8">
        {warnings.map(({ code, table, count, rows }) => (
          <li key={code + table} className="row between">
            <span className="row">
              <I.InfoCircle size={16} stroke={1.75} aria-hidden className="icon dim" />
              <span>
                {words.warnings[code] ?? spelled(code)}
                <Found ids={rows} count={count} words={words} />
              </span>
            </span>
            <span className="num">{number(count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type FoundProps = {
  readonly ids: readonly string[]
  readonly count: number
  readonly words: ReportTexts
}

/** The ids that are named; the CSV has all of them. */
const NAMED = 5

/** The numbers in the old system of the first rows of a reason. */
function Found({ ids, count, words }: FoundProps) {
  const named = ids.slice(0, NAMED)
  if (named.length === 0) return null
  return (
    <span className="sub block">
      {words.rows(named.join(', '), Math.max(0, count - named.length))}
    </span>
  )
}

type FaultProps = { readonly import: Import; readonly words: ReportTexts }

/** Why a dump was rejected, what to do about it, and the place in the file. */
export function Fault({ import: { fault, status }, words }: FaultProps) {
  const { imports: texts } = useAdminTexts()
  if (!fault) return null
  const remedy = words.faults[fault.code]
  const place = fault.line ? ` (${texts.faultAt(fault.line)})` : ''
  return (
    <Notice tone="failed" title={texts.statuses[status]}>
      {remedy ? (
        <>
          {remedy} {words.nothingChanged}
          <span className="sub block">
            {fault.message}
            {place}
          </span>
        </>
      ) : (
        fault.message + place
      )}
    </Notice>
  )
}

/** A code that has no words of its own yet, spelled out. */
function spelled(name: string): string {
  return name
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}
