import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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
export function usePeriod(): (startOn: string, interval: Interval) => string {
  const { month, date } = useFormats()
  return (startOn, interval) => {
    if (interval === 'day') return date(startOn)
    if (interval === 'month') return month(`${startOn.slice(0, 7)}-15`)
    return `${startOn.slice(0, 4)}-Q${Math.ceil(Number(startOn.slice(5, 7)) / 3)}`
  }
}

type ToolsProps = {
  readonly name: string
  readonly csv: () => Parameters<typeof saveFile>[1]
  readonly hasRange?: boolean
  readonly children?: ReactNode
}

export function ReportTools({ name, csv, hasRange = false, children }: ToolsProps) {
  const { reports } = useAdminTexts()
  const { common } = useTexts()
  const { set } = useListAddress()
  const { interval } = useRange()
  const save = () =>
    saveFile(`${name}.csv`, csv())
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
      {children}
    </ListTools>
  )
}

type ReportProps<Answer, Row> = {
  readonly query: UseQueryResult<Answer, Error>
  readonly rowsOf: (answer: Answer) => readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly caption: string
  /** The chart above the table; omitted if there are no bookings. */
  readonly chart?: (rows: readonly Row[], answer: Answer) => ReactNode
  readonly nothing?: string
}

/** A report in each of its states. */
export function Report<Answer, Row>(props: ReportProps<Answer, Row>) {
  const { query, rowsOf, columns, rowKey, caption, chart, nothing } = props
  const { reports } = useAdminTexts()
  return (
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
            {chart ? <Card title={caption}>{chart(rows, answer)}</Card> : null}
            <div className="card scrolls">
              <Table {...{ caption, rows, columns, rowKey }} />
            </div>
          </div>
        )
      }}
    </Loaded>
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
