import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { boot } from '../../../api/boot.ts'
import { useMay } from '../../../api/permissions.ts'
import { loadAdminTexts, useAdminTexts } from '../../../texts/admin.tsx'
import { Card, Dot, I, InnerLink, Loaded, Page, Skeleton, useFormats } from '../../../ui/index.ts'
import { Checklist } from './checklist.tsx'
import { attention, dashboard } from './reads.ts'

// The figures and the pending work are drawn without waiting for the charts and their texts.
const charts = async () => {
  const [found] = await Promise.all([
    import('./charts.tsx'),
    loadAdminTexts(boot.locale, ['reports']),
  ])
  return found
}
const Chart = lazy(async () => ({ default: (await charts()).Chart }))
const Why = lazy(async () => ({ default: (await charts()).Why }))

type Dashboard = components['schemas']['Dashboard']
type Item = components['schemas']['Attention']['items'][number]

/** How often the figures and the pending work are read again, in ms; not while the tab is hidden. */
const EVERY_MS = 30_000

/** The overview: pending work and figures. */
export function Overview() {
  const { overview, shell } = useAdminTexts()
  const { full } = useFormats()
  const may = useMay()
  return (
    <Page wide title={shell.overview} sub={full(new Date())}>
      <div className="stack">
        <Figures />
        <div className="grid split half">
          {may('reports:read') ? (
            <Room title={overview.chart} height={240}>
              <Chart />
            </Room>
          ) : null}
          <NeedsYou />
        </div>
        <div className="grid cols-2">
          {may('reports:read') ? (
            <Room title={overview.why} height={200}>
              <Why />
            </Room>
          ) : null}
          {may('shop:read') ? <Checklist /> : null}
        </div>
      </div>
    </Page>
  )
}

type RoomProps = {
  readonly title: string
  readonly height: number
  readonly children: ReactNode
}

/** Keeps the place of a chart until its script is loaded, so that nothing moves. */
function Room({ title, height, children }: RoomProps) {
  const empty = (
    <Card title={title}>
      <Skeleton height={height} />
    </Card>
  )
  return <Suspense fallback={empty}>{children}</Suspense>
}

function Figures() {
  const query = useQuery({ ...dashboard, refetchInterval: EVERY_MS })
  return (
    <Loaded query={query} waiting={<Skeleton height={112} />}>
      {(found) => <Found dashboard={found} />}
    </Loaded>
  )
}

type Figure = { readonly label: string; readonly value: string; readonly sub: string }

function Found({ dashboard: found }: { dashboard: Dashboard }) {
  const figures = useFigures(found)
  if (figures.length === 0) return null
  return (
    <div className="card kpis">
      {figures.map(({ label, value, sub }) => (
        <div key={label} className="kpi">
          <div className="label">{label}</div>
          <div className="fig">{value}</div>
          <div className="sub">{sub}</div>
        </div>
      ))}
    </div>
  )
}

/** The figures of the dashboard: parts without permission are null. */
function useFigures({ sales, services, overdue }: Dashboard): readonly Figure[] {
  const { overview } = useAdminTexts()
  const { money, number } = useFormats()
  const own = sales?.find(({ currency }) => currency === boot.currency) ?? sales?.[0]
  const due = overdue?.find(({ currency }) => currency === boot.currency) ?? overdue?.[0]
  const none = { currency: boot.currency, dueCents: 0, invoices: 0 }
  const { currency, dueCents, invoices } = due ?? none
  return [
    ...(own
      ? [
          {
            ...{ label: overview.mrr, value: money(own.mrrCents, own.currency) },
            sub: overview.moved(own.customersWon, own.customersLost),
          },
          {
            ...{ label: overview.month, value: money(own.monthCents, own.currency) },
            sub: overview.today(money(own.todayCents, own.currency)),
          },
        ]
      : []),
    ...(services
      ? [
          {
            ...{ label: overview.active, value: number(services.active) },
            sub: services.failed === 0 ? overview.noneFailed : overview.failed(services.failed),
          },
        ]
      : []),
    ...(overdue
      ? [
          {
            ...{ label: overview.overdue, value: money(dueCents, currency) },
            sub: overview.overdueInvoices(invoices),
          },
        ]
      : []),
  ]
}

/** The page of each kind of work. */
const PLACES: Readonly<Record<Item['kind'], string>> = {
  dispute: '/admin/payments?view=disputes',
  service_failed: '/admin/servers?kind=failed',
  service_provisioning: '/admin/servers?kind=provisioning',
  service_transition: '/admin/servers?kind=transition',
  service_upgrade: '/admin/servers?kind=upgrade',
  service_unmanaged: '/admin/servers?kind=unmanaged',
  service_renewal: '/admin/servers?kind=renewal',
  service_unwarned: '/admin/servers?kind=unwarned',
  service_delivery: '/admin/servers?kind=delivery',
  task_overdue: '/admin/tasks?state=overdue',
  ticket: '/admin/tickets',
  refund: '/admin/payments?view=refunds&status=action_required',
  difference: '/admin/payments?view=differences&status=open',
  bank_entry: '/admin/payments?view=bank&status=open',
  invoice_evidence: '/admin/invoices?evidence=true',
  commission: '/admin/affiliates?view=commissions&toReview=true',
  gateway: '/admin/gateways',
  node: '/admin/panels',
  webhook_endpoint: '/admin/integrations',
  product: '/admin/products',
  job: '/admin/system',
  mail_server: '/admin/mails/server',
  mail: '/admin/mails',
  mail_text: '/admin/mails/texts',
}

function NeedsYou() {
  const { overview } = useAdminTexts()
  const { date, ago, number } = useFormats()
  const query = useQuery({ ...attention, refetchInterval: EVERY_MS })
  return (
    <Card
      flush
      title={overview.attention}
      right={<span className="sub num">{query.data?.items.length ?? null}</span>}
    >
      <Loaded query={query} waiting={<Skeleton height={180} />}>
        {({ items }) =>
          items.length === 0 ? (
            <div className="inset stack s4">
              <span className="row">
                <I.CircleCheck size={18} stroke={1.75} aria-hidden />
                <span className="strong">{overview.nothing}</span>
              </span>
              <span className="sub">{overview.nothingText}</span>
            </div>
          ) : (
            <ul>
              {items.map(({ kind, tone, count, oldestAt, deadlineAt }) => (
                <li key={kind} className="attn">
                  <Dot tone={tone} />
                  <span className="cut">
                    <InnerLink href={PLACES[kind]} className="cut block">
                      {overview.kinds[kind]}
                    </InnerLink>
                    <span className="sub cut block">
                      {deadlineAt ? overview.until(date(deadlineAt)) : null}
                      {!deadlineAt && oldestAt ? ago(oldestAt) : null}
                    </span>
                  </span>
                  <span className="num strong">{number(count)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
