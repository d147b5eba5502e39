import type { ComponentType } from 'react'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Page, Select, useListAddress } from '../../../ui/index.ts'
import { Balance, Deferred, Gaps, Receivables } from './books.tsx'
import { ExportForm } from './export.tsx'
import { Churn, RecurringRevenue, Revenue } from './sales.tsx'
import { Oss, Tax } from './tax.tsx'

const REPORTS = [
  ...(['revenue', 'mrr', 'churn', 'tax', 'oss'] as const),
  ...(['receivables', 'deferred', 'balance', 'gaps', 'export'] as const),
] as const
type Name = (typeof REPORTS)[number]

const SHOWN: Readonly<Record<Name, ComponentType>> = {
  ...{ revenue: Revenue, mrr: RecurringRevenue, churn: Churn, tax: Tax, oss: Oss },
  ...{ receivables: Receivables, deferred: Deferred, balance: Balance, gaps: Gaps },
  export: ExportForm,
}

/** The reports: a chart, if there is one, above a table of the same figures. */
export function Reports() {
  const { reports } = useAdminTexts()
  const { search, set } = useListAddress()
  const may = useMay()
  const offered = REPORTS.filter((it) => it !== 'export' || may('exports:read'))
  const name = offered.find((it) => it === search.view) ?? 'revenue'
  const Shown = SHOWN[name]
  return (
    <Page
      wide
      title={reports.names[name]}
      sub={reports.about[name]}
      actions={
        <Select
          aria-label={reports.views}
          value={name}
          data={offered.map((value) => ({ value, label: reports.names[value] }))}
          onChange={(value) => set({ view: value ?? undefined, quarter: undefined })}
        />
      }
    >
      <Shown key={name} />
    </Page>
  )
}
