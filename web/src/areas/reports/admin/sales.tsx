import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { LineChart, StackedBars, useFormats } from '../../../ui/index.ts'
import { ofOneCurrency, Report, useAmount, usePeriod, useRange } from './parts.tsx'

type RevenueRow = components['schemas']['RevenueReport']['data'][number]
type RecurringRow = components['schemas']['RecurringRevenue']['data'][number]
type ChurnRow = components['schemas']['ChurnReport']['data'][number]

const keyOf = ({ startOn, currency }: { startOn: string; currency: string }) =>
  `${startOn} ${currency}`

export function Revenue() {
  const { reports } = useAdminTexts()
  const { money, moneyShort } = useFormats()
  const range = useRange()
  const period = usePeriod(range.interval)
  const amount = useAmount<RevenueRow>()
  return (
    <Report
      hasRange
      name="revenue"
      file="revenue"
      about={range}
      call={(format, how) =>
        client.GET('/v1/admin/reports/revenue', { params: { query: { ...range, format } }, ...how })
      }
      rowsOf={({ data }) => data}
      rowKey={keyOf}
      chart={(all) => {
        const { currency, rows } = ofOneCurrency(all)
        return (
          <LineChart
            label={reports.names.revenue}
            labels={rows.map(({ startOn }) => period(startOn))}
            series={[{ label: reports.net, values: rows.map(({ netCents }) => netCents) }]}
            format={(cents) => money(cents, currency)}
            axis={(cents) => moneyShort(cents, currency)}
          />
        )
      }}
      columns={[
        { head: reports.period, cell: ({ startOn }) => period(startOn) },
        amount(reports.invoiced, (row) => row.invoicedCents),
        amount(reports.credited, (row) => row.creditedCents),
        amount(reports.net, (row) => row.netCents, 'second'),
        amount(reports.taxAmount, (row) => row.taxCents),
        amount(reports.refunded, (row) => row.refundedCents),
      ]}
    />
  )
}

export function RecurringRevenue() {
  const { reports } = useAdminTexts()
  const { money } = useFormats()
  const range = useRange()
  const period = usePeriod(range.interval)
  const amount = useAmount<RecurringRow>()
  return (
    <Report
      hasRange
      name="mrr"
      file="recurring-revenue"
      about={range}
      call={(format, how) =>
        client.GET('/v1/admin/reports/mrr', { params: { query: { ...range, format } }, ...how })
      }
      rowsOf={({ data }) => data}
      rowKey={keyOf}
      chart={(all) => {
        const { currency, rows } = ofOneCurrency(all)
        const labels = rows.map(({ startOn }) => period(startOn))
        return (
          <StackedBars
            label={reports.names.mrr}
            labels={labels}
            format={(cents) => money(cents, currency)}
            series={[
              { label: reports.fresh, values: rows.map((row) => row.newCents) },
              { label: reports.expansion, values: rows.map((row) => row.expansionCents) },
              {
                label: reports.contraction,
                values: rows.map((row) => -Math.abs(row.contractionCents)),
              },
              { label: reports.lost, values: rows.map((row) => -Math.abs(row.churnCents)) },
            ]}
          />
        )
      }}
      columns={[
        { head: reports.period, cell: ({ startOn }) => period(startOn) },
        amount(reports.opening, (row) => row.openingCents),
        amount(reports.fresh, (row) => row.newCents),
        amount(reports.expansion, (row) => row.expansionCents),
        amount(reports.contraction, (row) => row.contractionCents),
        amount(reports.lost, (row) => row.churnCents),
        amount(reports.closing, (row) => row.closingCents, 'second'),
      ]}
    />
  )
}

export function Churn() {
  const { reports } = useAdminTexts()
  const { rate, number } = useFormats()
  const range = useRange()
  const period = usePeriod(range.interval)
  const amount = useAmount<ChurnRow>()
  const ratio = (basisPoints: number | null) => (basisPoints === null ? '–' : rate(basisPoints))
  return (
    <Report
      hasRange
      name="churn"
      file="churn"
      about={range}
      call={(format, how) =>
        client.GET('/v1/admin/reports/churn', { params: { query: { ...range, format } }, ...how })
      }
      rowsOf={({ data }) => data}
      rowKey={keyOf}
      chart={(all) => {
        const { rows } = ofOneCurrency(all)
        return (
          <LineChart
            label={reports.churnRate}
            labels={rows.map(({ startOn }) => period(startOn))}
            series={[
              {
                label: reports.churnRate,
                values: rows.map((row) => row.customerChurnBasisPoints ?? 0),
              },
            ]}
            format={rate}
          />
        )
      }}
      columns={[
        { head: reports.period, cell: ({ startOn }) => period(startOn) },
        {
          ...{ head: reports.customers, right: true, small: 'hide' },
          cell: ({ customersAtEnd }) => number(customersAtEnd),
        },
        {
          ...{ head: reports.won, right: true, small: 'hide' },
          cell: ({ customersWon }) => number(customersWon),
        },
        {
          ...{ head: reports.lost, right: true, small: 'hide' },
          cell: ({ customersLost }) => number(customersLost),
        },
        {
          ...{ head: reports.churnRate, right: true, small: 'second' },
          cell: (row) => ratio(row.customerChurnBasisPoints),
        },
        {
          ...{ head: reports.revenueRate, right: true, small: 'hide' },
          cell: (row) => ratio(row.revenueChurnBasisPoints),
        },
        amount(reports.opening, (row) => row.openingCents),
      ]}
    />
  )
}
