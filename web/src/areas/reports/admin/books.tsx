import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { StackedBars, Tag, useFormats } from '../../../ui/index.ts'
import { ofOneCurrency, Report, useAmount, usePeriod } from './parts.tsx'

type ReceivablesRow = components['schemas']['Receivables']['data'][number]
type DeferredRow = components['schemas']['DeferredRevenue']['schedule'][number]
type AccountRow = components['schemas']['LedgerAccount']

export function Receivables() {
  const { reports } = useAdminTexts()
  const { number } = useFormats()
  const amount = useAmount<ReceivablesRow>()
  return (
    <Report
      name="receivables"
      file="receivables"
      call={(format, how) =>
        client.GET('/v1/admin/reports/receivables', { params: { query: { format } }, ...how })
      }
      rowsOf={({ data }) => data}
      rowKey={({ currency }) => currency}
      columns={[
        { head: reports.currency, cell: ({ currency }) => currency },
        amount(reports.notDue, (row) => row.notDueCents),
        amount(reports.to30, (row) => row.days1To30Cents),
        amount(reports.to60, (row) => row.days31To60Cents),
        amount(reports.to90, (row) => row.days61To90Cents),
        amount(reports.more, (row) => row.days91AndMoreCents),
        amount(reports.owed, (row) => row.dueCents, 'second'),
        {
          ...{ head: reports.invoices, right: true, small: 'hide' },
          cell: ({ invoices }) => number(invoices),
        },
      ]}
    />
  )
}

export function Deferred() {
  const { reports } = useAdminTexts()
  const { money } = useFormats()
  const period = usePeriod('month')
  const amount = useAmount<DeferredRow>()
  return (
    <Report
      name="deferred"
      file="deferred-revenue"
      call={(format, how) =>
        client.GET('/v1/admin/reports/deferred-revenue', { params: { query: { format } }, ...how })
      }
      rowsOf={({ schedule }) => schedule}
      rowKey={({ startOn, currency }) => `${startOn} ${currency}`}
      chart={(all) => {
        const { currency, rows } = ofOneCurrency(all)
        return (
          <StackedBars
            label={reports.names.deferred}
            labels={rows.map(({ startOn }) => period(startOn))}
            series={[{ label: reports.earned, values: rows.map((row) => row.recognizedCents) }]}
            format={(cents) => money(cents, currency)}
          />
        )
      }}
      columns={[
        { head: reports.period, cell: ({ startOn }) => period(startOn) },
        amount(reports.earned, (row) => row.recognizedCents, 'second'),
      ]}
    />
  )
}

export function Balance() {
  const { reports } = useAdminTexts()
  const amount = useAmount<AccountRow>()
  return (
    <Report
      name="balance"
      file="trial-balance"
      call={(format, how) =>
        client.GET('/v1/admin/reports/trial-balance', {
          params: { query: { format, ...(format === 'json' && { limit: 100 }) } },
          ...how,
        })
      }
      rowsOf={({ data }) => data}
      rowKey={({ code, ownerId, currency }) => [code, ownerId, currency].join(' ')}
      columns={[
        {
          head: reports.account,
          cell: ({ code, name }) => (
            <>
              {code} <span className="dim">{name}</span>
            </>
          ),
        },
        amount(reports.debit, (row) => row.debitCents, 'second'),
        amount(reports.credit, (row) => row.creditCents, 'second'),
      ]}
    />
  )
}

export function Gaps() {
  const { reports } = useAdminTexts()
  const { number } = useFormats()
  return (
    <Report
      name="gaps"
      file="number-gaps"
      call={(format, how) =>
        client.GET('/v1/admin/reports/number-gaps', { params: { query: { format } }, ...how })
      }
      rowsOf={({ series }) => series}
      rowKey={({ code, year }) => `${code} ${year}`}
      nothing={reports.noGaps}
      columns={[
        { head: reports.series, cell: ({ code, year }) => `${code} ${year}` },
        {
          ...{ head: reports.last, right: true, small: 'hide' },
          cell: ({ lastSequence }) => number(lastSequence),
        },
        {
          ...{ head: reports.gaps, right: true, small: 'second' },
          cell: ({ gaps }) => (
            <Tag tone={gaps === 0 ? 'active' : 'failed'}>
              {gaps === 0 ? reports.noGaps : number(gaps)}
            </Tag>
          ),
        },
      ]}
    />
  )
}
