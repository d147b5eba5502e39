import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client, readJson } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { StackedBars, Tag, useFormats } from '../../../ui/index.ts'
import { ofOneCurrency, Report, ReportTools, useAmount, usePeriod } from './parts.tsx'

type ReceivablesRow = components['schemas']['Receivables']['data'][number]
type DeferredRow = components['schemas']['DeferredRevenue']['schedule'][number]
type AccountRow = components['schemas']['LedgerAccount']

export function Receivables() {
  const { reports } = useAdminTexts()
  const { number } = useFormats()
  const amount = useAmount<ReceivablesRow>()
  const path = '/v1/admin/reports/receivables'
  const query = useQuery(
    readJson(['admin', 'reports', 'receivables'], (signal) =>
      client.GET(path, { params: { query: { format: 'json' } }, signal }),
    ),
  )
  return (
    <>
      <ReportTools
        name="receivables"
        csv={() => client.GET(path, { params: { query: { format: 'csv' } }, parseAs: 'blob' })}
      />
      <Report
        query={query}
        rowsOf={({ data }) => data}
        rowKey={({ currency }) => currency}
        caption={reports.names.receivables}
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
    </>
  )
}

export function Deferred() {
  const { reports } = useAdminTexts()
  const { money } = useFormats()
  const period = usePeriod()
  const amount = useAmount<DeferredRow>()
  const path = '/v1/admin/reports/deferred-revenue'
  const query = useQuery(
    readJson(['admin', 'reports', 'deferred'], (signal) =>
      client.GET(path, { params: { query: { format: 'json' } }, signal }),
    ),
  )
  return (
    <>
      <ReportTools
        name="deferred-revenue"
        csv={() => client.GET(path, { params: { query: { format: 'csv' } }, parseAs: 'blob' })}
      />
      <Report
        query={query}
        rowsOf={({ schedule }) => schedule}
        rowKey={({ startOn, currency }) => `${startOn} ${currency}`}
        caption={reports.names.deferred}
        chart={(all) => {
          const { currency, rows } = ofOneCurrency(all)
          return (
            <StackedBars
              label={reports.names.deferred}
              labels={rows.map(({ startOn }) => period(startOn, 'month'))}
              series={[{ label: reports.earned, values: rows.map((row) => row.recognizedCents) }]}
              format={(cents) => money(cents, currency)}
            />
          )
        }}
        columns={[
          { head: reports.period, cell: ({ startOn }) => period(startOn, 'month') },
          amount(reports.earned, (row) => row.recognizedCents, 'second'),
        ]}
      />
    </>
  )
}

export function Balance() {
  const { reports } = useAdminTexts()
  const amount = useAmount<AccountRow>()
  const path = '/v1/admin/reports/trial-balance'
  const query = useQuery(
    readJson(['admin', 'reports', 'balance'], (signal) =>
      client.GET(path, { params: { query: { format: 'json', limit: 100 } }, signal }),
    ),
  )
  return (
    <>
      <ReportTools
        name="trial-balance"
        csv={() => client.GET(path, { params: { query: { format: 'csv' } }, parseAs: 'blob' })}
      />
      <Report
        query={query}
        rowsOf={({ data }) => data}
        rowKey={({ code, ownerId, currency }) => [code, ownerId, currency].join(' ')}
        caption={reports.names.balance}
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
    </>
  )
}

export function Gaps() {
  const { reports } = useAdminTexts()
  const { number } = useFormats()
  const path = '/v1/admin/reports/number-gaps'
  const query = useQuery(
    readJson(['admin', 'reports', 'gaps'], (signal) =>
      client.GET(path, { params: { query: { format: 'json' } }, signal }),
    ),
  )
  return (
    <>
      <ReportTools
        name="number-gaps"
        csv={() => client.GET(path, { params: { query: { format: 'csv' } }, parseAs: 'blob' })}
      />
      <Report
        query={query}
        rowsOf={({ series }) => series}
        rowKey={({ code, year }) => `${code} ${year}`}
        caption={reports.names.gaps}
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
    </>
  )
}
