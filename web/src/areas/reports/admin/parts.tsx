import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readJson } from '../../../api/client.ts'
import { saveFile } from '../../../api/downloads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  type Column,
  DateFilter,
  Empty,
  I,
  ListTools,
  Loaded,
  refused,
  SegmentedControl,
  Table,
  told,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'

const INTERVALS = ['day', 'month', 'quarter'] as const
type Interval = (typeof INTERVALS)[number]

/** The period of a report, from the URL, in the format of the API. */
export function useRange() {
  const { search } = useListAddress()
  const interval = INTERVALS.find((it) => it === search.interval) ?? 'month'
  const dayIn = (text = '') => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : null)
  const [from, to] = [dayIn(search.from), dayIn(search.to)]
  return { interval, ...(from && { from }), ...(to && { to }) }
}

/** The name of the day, month or quarter that starts on a day. */
export function usePeriod(interval: Interval): (startOn: string) => string {
  const { month, date } = useFormats()
  return (startOn) => {
    if (interval === 'day') return date(startOn)
    if (interval === 'month') return month(`${startOn.slice(0, 7)}-15`)
    return `${startOn.slice(0, 4)}-Q${Math.ceil(Number(startOn.slice(5, 7)) / 3)}`
  }
}

type How = { readonly parseAs: 'json' | 'blob'; readonly signal?: AbortSignal }

type ReportProps<Answer extends object, Row> = {
  readonly name: keyof ReturnType<typeof useAdminTexts>['reports']['names']
  /** The name of the CSV file. */
  readonly file: string
  /** The subject of the report, such as the date range; part of the query key. */
  readonly about?: unknown
  /** Requests the report: JSON for the table, CSV for the file. */
  readonly call: (
    format: 'json' | 'csv',
    how: How,
  ) => Promise<{ data?: Answer | string | Blob; error?: unknown; response: Response }>
  readonly hasRange?: boolean
  readonly tools?: ReactNode
  readonly rowsOf: (answer: Answer) => readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** The chart above the table; omitted if there are no bookings. */
  readonly chart?: (rows: readonly Row[]) => ReactNode
  readonly nothing?: string
}

/** A report in each of its states, with its tools. */
export function Report<Answer extends object, Row>(props: ReportProps<Answer, Row>) {
  const { name, about, call, rowsOf, columns, rowKey, chart, nothing } = props
  const { reports } = useAdminTexts()
  const caption = reports.names[name]
  const query = useQuery(
    readJson<Answer>(['admin', 'reports', name, about], (signal) =>
      call('json', { parseAs: 'json', signal }),
    ),
  )
  return (
    <>
      <Tools {...props} />
      <Loaded query={query}>
        {(answer) => {
          const rows = rowsOf(answer)
          if (rows.length === 0) {
            return (
              <div className="card">
                <Empty icon={I.ChartLine} title={nothing ?? reports.nothing}>
                  {nothing ? null : reports.nothingText}
                </Empty>
              </div>
            )
          }
          return (
            <div className="stack">
              {chart ? <Card title={caption}>{chart(rows)}</Card> : null}
              <div className="card scrolls">
                <Table {...{ caption, rows, columns, rowKey }} />
              </div>
            </div>
          )
        }}
      </Loaded>
    </>
  )
}

type ToolsProps = {
  readonly file: string
  readonly call: (format: 'csv', how: How) => Parameters<typeof saveFile>[1]
  readonly hasRange?: boolean
  readonly tools?: ReactNode
}

function Tools({ file, call, hasRange = false, tools }: ToolsProps) {
  const { reports } = useAdminTexts()
  const { common } = useTexts()
  const { set } = useListAddress()
  const { interval } = useRange()
  const save = () =>
    saveFile(`${file}.csv`, call('csv', { parseAs: 'blob' }))
      .then((isSaved) => {
        if (!isSaved) told(reports.beingMade)
      })
      .catch((error: Error) => refused(common.refused, error.message))
  return (
    <ListTools
      right={
        <Button
          variant="default"
          leftSection={<I.Download size={16} stroke={1.75} aria-hidden />}
          onClick={() => void save()}
        >
          {reports.csv}
        </Button>
      }
    >
      {hasRange ? (
        <>
          <SegmentedControl
            aria-label={reports.interval}
            value={interval}
            data={INTERVALS.map((value) => ({ value, label: reports.intervals[value] }))}
            onChange={(value) => set({ interval: value })}
          />
          <DateFilter />
        </>
      ) : null}
      {tools}
    </ListTools>
  )
}

type WithCurrency = { readonly currency: string }

/** The rows of the most frequent currency: a chart has one axis. */
export function ofOneCurrency<Row extends WithCurrency>(rows: readonly Row[]) {
  const groups = [...Map.groupBy(rows, ({ currency }) => currency)]
  const [first] = groups.sort(([, a], [, b]) => b.length - a.length)
  return { currency: first?.[0] ?? '', rows: first?.[1] ?? [] }
}

/** A column of amounts in the currency of each row. */
export function useAmount<Row extends WithCurrency>() {
  const { money } = useFormats()
  return (
    head: string,
    centsOf: (row: Row) => number,
    small: Column<Row>['small'] = 'hide',
  ): Column<Row> => ({
    ...{ head, right: true },
    ...(small && { small }),
    cell: (row) => money(centsOf(row), row.currency),
  })
}
