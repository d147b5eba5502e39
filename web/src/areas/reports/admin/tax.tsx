import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Select, useFormats, useListAddress } from '../../../ui/index.ts'
import { Report, useAmount, usePeriod, useRange } from './parts.tsx'

type TaxRow = components['schemas']['TaxReport']['data'][number]
type OssReturn = components['schemas']['OssReturn']
type OssRow = OssReturn['sales'][number] & { readonly of: string | null }

export function Tax() {
  const { reports } = useAdminTexts()
  const { country, rate } = useFormats()
  const range = useRange()
  const period = usePeriod(range.interval)
  const amount = useAmount<TaxRow>()
  return (
    <Report
      hasRange
      name="tax"
      file="tax"
      about={range}
      call={(format, how) =>
        client.GET('/v1/admin/reports/tax', { params: { query: { ...range, format } }, ...how })
      }
      rowsOf={({ data }) => data}
      rowKey={(row) =>
        [row.startOn, row.currency, row.country, row.category, row.rateBasisPoints].join(' ')
      }
      columns={[
        { head: reports.period, cell: ({ startOn }) => period(startOn) },
        { head: reports.country, small: 'sub', cell: (row) => country(row.country) },
        { head: reports.category, small: 'hide', cell: ({ category }) => category },
        {
          ...{ head: reports.rate, right: true, small: 'hide' },
          cell: ({ rateBasisPoints }) => (rateBasisPoints === null ? '–' : rate(rateBasisPoints)),
        },
        amount(reports.net, (row) => row.netCents),
        amount(reports.taxAmount, (row) => row.taxCents, 'second'),
      ]}
    />
  )
}

/** The quarters that a return can cover, newest first. */
function quartersBefore(now: Date): readonly string[] {
  const last = now.getUTCFullYear() * 4 + Math.floor(now.getUTCMonth() / 3)
  return Array.from({ length: 12 }, (_, index) => {
    const quarter = last - index
    return `${Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`
  })
}

export function Oss() {
  const { reports } = useAdminTexts()
  const { country, rate } = useFormats()
  const { search, set } = useListAddress()
  const amount = useAmount<OssRow>()
  const quarters = quartersBefore(new Date())
  const quarter = quarters.find((it) => it === search.quarter) ?? quarters[0] ?? ''
  return (
    <Report
      name="oss"
      file={`oss-${quarter}`}
      about={quarter}
      call={(format, how) =>
        client.GET('/v1/admin/reports/tax/oss', { params: { query: { quarter, format } }, ...how })
      }
      tools={
        <Select
          aria-label={reports.quarter}
          value={quarter}
          data={quarters}
          onChange={(value) => set({ quarter: value ?? undefined })}
        />
      }
      rowsOf={({ sales, corrections }): readonly OssRow[] => [
        ...sales.map((row) => ({ ...row, of: null })),
        ...corrections.map((row) => ({ ...row, of: row.quarter })),
      ]}
      rowKey={(row) => [row.country, row.of, row.rateBasisPoints, row.currency].join(' ')}
      columns={[
        { head: reports.country, cell: (row) => country(row.country) },
        { head: reports.of, small: 'hide', cell: ({ of }) => of ?? quarter },
        {
          ...{ head: reports.rate, right: true, small: 'hide' },
          cell: ({ rateBasisPoints }) => rate(rateBasisPoints),
        },
        amount(reports.net, (row) => row.netCents),
        amount(reports.taxAmount, (row) => row.taxCents, 'second'),
      ]}
    />
  )
}
