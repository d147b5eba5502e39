import { useQuery } from '@tanstack/react-query'
import { boot } from '../../../api/boot.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, LineChart, Loaded, Skeleton, StackedBars, useFormats } from '../../../ui/index.ts'
import { recurring } from './reads.ts'

/** Twelve months in the currency of the shop. */
function useMonths() {
  const query = useQuery(recurring)
  const { month } = useFormats()
  const rows = query.data?.data.filter(({ currency }) => currency === boot.currency) ?? []
  const labels = rows.map(({ startOn }) => month(`${startOn.slice(0, 7)}-15`))
  return { query, rows, labels }
}

export function Chart() {
  const { overview } = useAdminTexts()
  const { money, moneyShort } = useFormats()
  const { query, rows, labels } = useMonths()
  return (
    <Card title={overview.chart}>
      <Loaded query={query} waiting={<Skeleton height={240} />}>
        {() =>
          rows.length === 0 ? (
            <p className="dim">{overview.none}</p>
          ) : (
            <LineChart
              label={overview.chart}
              labels={labels}
              series={[{ label: overview.mrr, values: rows.map((row) => row.closingCents) }]}
              format={(cents) => money(cents, boot.currency)}
              axis={(cents) => moneyShort(cents, boot.currency)}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

export function Why() {
  const { overview, reports } = useAdminTexts()
  const { money } = useFormats()
  const { query, rows, labels } = useMonths()
  return (
    <Card title={overview.why}>
      <Loaded query={query} waiting={<Skeleton height={200} />}>
        {() =>
          rows.length === 0 ? (
            <p className="dim">{overview.none}</p>
          ) : (
            <StackedBars
              label={overview.why}
              labels={labels}
              format={(cents) => money(cents, boot.currency)}
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
        }
      </Loaded>
    </Card>
  )
}
