import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { nodes, order as orderRead, person } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Avatar,
  Card,
  Copy,
  Emblem,
  Facts,
  I,
  Link,
  Listed,
  Loaded,
  MoreMenu,
  Notice,
  Page,
  Skeleton,
  Timeline,
  useFormats,
  useOnceOpened,
} from '../../../ui/index.ts'
import { Presence } from '../../desk/index.ts'
import { perPeriod } from '../period.ts'
import { ServiceTag } from '../status.tsx'
import { StaffPower } from './power.tsx'
import { type AdminService, isTroubled, report, service } from './reads.ts'
import { Members, ReinstallServer } from './server.tsx'

// Loaded separately, because most visits change nothing, and few services have failed.
const actions = () => import('./actions.tsx')
const AttachService = lazy(async () => ({ default: (await actions()).AttachService }))
const CancelUpgrade = lazy(async () => ({ default: (await actions()).CancelUpgrade }))
const ChangeService = lazy(async () => ({ default: (await actions()).ChangeService }))
const GiveFreeDays = lazy(async () => ({ default: (await actions()).GiveFreeDays }))
const SuspendService = lazy(async () => ({ default: (await actions()).SuspendService }))
const TerminateService = lazy(async () => ({ default: (await actions()).TerminateService }))
const Incident = lazy(async () => ({ default: (await import('./incident.tsx')).Incident }))
const ChangeOptions = lazy(async () => ({
  default: (await import('./change-options.tsx')).ChangeOptions,
}))
const ChangePlan = lazy(async () => ({ default: (await import('./change-plan.tsx')).ChangePlan }))
const Deliveries = lazy(async () => ({ default: (await import('./deliveries.tsx')).Deliveries }))
const Notes = lazy(async () => ({ default: (await import('../../users/admin/index.ts')).Notes }))
const ObjectTimeline = lazy(async () => ({
  default: (await import('../../users/admin/index.ts')).ObjectTimeline,
}))
const StaffStartup = lazy(async () => ({
  default: (await import('./startup.tsx')).StaffStartup,
}))

/** One service; an incident if it failed or one of its operations is stuck. */
export function AdminServicePage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <div className="service">
      <Loaded isScreen query={useQuery({ ...service(id), refetchInterval: everyWhileUnderWay })}>
        {(found) => <Found service={found} />}
      </Loaded>
    </div>
  )
}

const UNDER_WAY_MS = 3000

/** While an operation is running, the screen refreshes automatically. */
function everyWhileUnderWay({ state: { data } }: { state: { data: AdminService | undefined } }) {
  const isUnderWay = data && (data.provisioning || data.transition || data.upgrade)
  return isUnderWay ? UNDER_WAY_MS : false
}

type ServiceProps = { readonly service: AdminService }

function Found({ service: it }: ServiceProps) {
  const may = useMay()
  return (
    <Page wide title={it.name} head={<Head service={it} />}>
      <div className="grid split">
        <div className="stack">
          {isTroubled(it) ? (
            <Suspense fallback={<Skeleton height={260} />}>
              <Incident service={it} />
            </Suspense>
          ) : null}
          {it.status === 'active' && it.panel ? <StaffPower service={it} /> : null}
          <Contract service={it} />
          {it.delivery === 'server' ? <Activity service={it} /> : null}
          {it.delivery === 'webhook' ? (
            <Suspense>
              <Deliveries serviceId={it.id} />
            </Suspense>
          ) : null}
          <Suspense fallback={null}>
            <ObjectTimeline about="services" id={it.id} />
          </Suspense>
        </div>
        <div className="stack">
          {may('users:read') ? <Customer service={it} /> : null}
          <Details service={it} />
          <Members service={it} />
          <Suspense fallback={null}>
            <Notes about="services" id={it.id} />
          </Suspense>
          {it.panel ? <Report service={it} /> : null}
        </div>
      </div>
    </Page>
  )
}

type Dialog =
  | 'change'
  | 'plan'
  | 'options'
  | 'free'
  | 'startup'
  | 'reinstall'
  | 'suspend'
  | 'terminate'
  | 'attach'
  | 'upgrade'
  | null

function Head({ service: it }: ServiceProps) {
  const { servers } = useAdminTexts()
  const { ago } = useFormats()
  const may = useMay()
  const [dialog, open] = useState<Dialog>(null)
  const wasOpened = useOnceOpened(dialog !== null)
  const of = (which: Dialog) => ({
    ...{ service: it, opened: dialog === which, close: () => open(null) },
  })
  const isLiving = it.status !== 'ended'
  const isDetached = isLiving && it.delivery === 'server' && it.nodeId === null
  const isSuspended = it.status === 'suspended'
  const isRunning = it.status === 'active' && it.panel !== null
  const offered = (
    [
      ['change', servers.change, I.Edit, isLiving],
      ['plan', servers.changePlan, I.Scale, it.status === 'active' && !it.upgrade],
      ['options', servers.changeOptions, I.Adjustments, it.status === 'active' && !it.upgrade],
      ['free', servers.freeDays, I.Gift, isLiving && it.currentPeriodEnd !== null],
      [
        'suspend',
        isSuspended ? servers.unsuspend : servers.suspend,
        isSuspended ? I.PlayerPlay : I.PlayerPause,
        isSuspended || it.status === 'active',
      ],
      ['startup', servers.startup, I.Settings, isRunning],
      ['reinstall', servers.reinstall, I.Refresh, isRunning],
      ['upgrade', servers.cancelUpgrade, I.X, it.upgrade !== null],
      ['attach', servers.attach, I.Plug, isDetached && may('nodes:read')],
      ['terminate', servers.terminate, I.Trash, isLiving],
    ] as const
  ).filter(([, , , isOffered]) => isOffered)
  return (
    <header className="page-head middle">
      <Emblem name={it.game ?? it.product.name} size={52} />
      <div className="grow least">
        <div className="row gap12 wrap">
          <h1>{it.name}</h1>
          <span role="status">
            <ServiceTag status={it.status} power={null} />
          </span>
        </div>
        <div className="sub row gap12 wrap">
          <span>
            {it.product.name} · {ago(it.createdAt)}
          </span>
          <Presence kind="service" id={it.id} />
        </div>
      </div>
      {may('services:write') && offered.length > 0 ? (
        <div className="actions">
          <MoreMenu items={offered} choose={open} />
          {wasOpened ? (
            <Suspense>
              <ChangeService key={it.name} {...of('change')} />
              <GiveFreeDays {...of('free')} />
              {dialog === 'plan' ? <ChangePlan {...of('plan')} /> : null}
              {dialog === 'options' ? <ChangeOptions {...of('options')} /> : null}
              {dialog === 'startup' ? <StaffStartup {...of('startup')} /> : null}
              <ReinstallServer {...of('reinstall')} />
              <SuspendService key={it.status} {...of('suspend')} />
              <TerminateService {...of('terminate')} />
              <AttachService {...of('attach')} />
              <CancelUpgrade {...of('upgrade')} />
            </Suspense>
          ) : null}
        </div>
      ) : null}
    </header>
  )
}

function Contract({ service: it }: ServiceProps) {
  const { servers } = useAdminTexts()
  const texts = useTexts()
  const { money, date } = useFormats()
  const may = useMay()
  const { plan, currentPeriodStart: start, currentPeriodEnd: end } = it
  const order = useQuery({
    ...orderRead(it.orderId ?? ''),
    enabled: it.orderId !== null && may('orders:read'),
  }).data
  return (
    <Card title={plan.name}>
      <Facts
        rows={[
          [servers.price, `${money(plan.priceCents, plan.currency)} ${perPeriod(plan, texts)}`],
          [servers.period, start && end ? `${date(start)} – ${date(end)}` : '–'],
          ...(it.freeUntil ? ([[servers.freeUntil, date(it.freeUntil)]] as const) : []),
          [servers.renews, it.autoRenew && !it.cancelAtPeriodEnd ? servers.yes : servers.no],
          [servers.nextInvoice, it.nextInvoiceAt ? date(it.nextInvoiceAt) : '–'],
          ...(it.openInvoiceId && may('invoices:read')
            ? ([
                [
                  servers.invoice,
                  <Link key="invoice" to="/admin/invoices/$id" params={{ id: it.openInvoiceId }}>
                    {money(it.dueCents ?? 0, it.currency)}
                  </Link>,
                ],
              ] as const)
            : []),
          ...(it.suspendReasons.length > 0
            ? ([[servers.suspendedFor, it.suspendReasons.join(', ')]] as const)
            : []),
          ...(order
            ? ([
                [
                  servers.order,
                  <Link key="order" to="/admin/orders/$id" params={{ id: order.id }}>
                    {order.number}
                  </Link>,
                ],
              ] as const)
            : []),
        ]}
      />
    </Card>
  )
}

function Customer({ service: it }: ServiceProps) {
  const { servers } = useAdminTexts()
  return (
    <Card title={servers.customer}>
      <Loaded query={useQuery(person(it.userId))} waiting={null}>
        {({ id, name, email }) => (
          <div className="stack">
            <div className="row gap12">
              <Avatar name={name} size={36} />
              <div className="grow cut">
                <Link to="/admin/people/$id" params={{ id }} className="strong">
                  {name}
                </Link>
                <div className="sub cut">{email}</div>
              </div>
            </div>
            {it.status === 'failed' ||
            (it.status === 'provisioning' && it.delivery === 'server') ? (
              <Notice tone="ended" title={servers.customerSees}>
                {it.failure?.message ?? servers.customerSeesFailed}
              </Notice>
            ) : null}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Details({ service: it }: ServiceProps) {
  const { servers } = useAdminTexts()
  const { megabytes, number } = useFormats()
  const may = useMay()
  const known = useQuery({ ...nodes, enabled: may('nodes:read') && it.nodeId !== null }).data
  const panel = known?.data.find(({ id }) => id === it.nodeId)
  const { limits } = it
  return (
    <Card title={servers.facts}>
      <Facts
        rows={[
          [servers.egg, it.game ?? '–'],
          ...(it.location ? ([[servers.location, it.location.name]] as const) : []),
          [servers.address, it.panel?.address ?? '–'],
          ...(panel ? ([[servers.panel, panel.name]] as const) : []),
          ...(it.panel
            ? ([
                [
                  servers.panel,
                  <a key="url" href={it.panel.url} target="_blank" rel="noreferrer">
                    {servers.openPanel}
                  </a>,
                ],
              ] as const)
            : []),
          [
            servers.limits,
            limits
              ? `${megabytes(limits.memoryMb)} · ${number(limits.cpuPercent)} % · ${megabytes(limits.diskMb)}`
              : '–',
          ],
          [
            servers.externalId,
            <Copy key="external" value={it.externalId} label={servers.externalId} />,
          ],
        ]}
      />
    </Card>
  )
}

function Report({ service: { id } }: ServiceProps) {
  const { servers } = useAdminTexts()
  const { services } = useTexts()
  const { moment } = useFormats()
  return (
    <Card title={servers.report}>
      <Loaded query={useQuery(report(id))} waiting={null}>
        {({ state, stateAt, installEndedAt, crashedAt }) => (
          <Facts
            rows={[
              [servers.state, state ? services.status[state] : '–'],
              [servers.since, stateAt ? moment(stateAt) : '–'],
              [servers.installed, installEndedAt ? moment(installEndedAt) : '–'],
              [servers.crashed, crashedAt ? moment(crashedAt) : '–'],
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}

function Activity({ service: { id } }: ServiceProps) {
  const { servers } = useAdminTexts()
  const { ago } = useFormats()
  const list = useList(['admin', 'services', id, 'activity'], (where, signal) =>
    client.GET('/v1/admin/services/{id}/activity', {
      params: { path: { id }, query: where },
      signal,
    }),
  )
  return (
    <Card title={servers.activity}>
      <Listed list={list} empty={<p className="dim">{servers.noActivity}</p>}>
        {(rows) => (
          <Timeline
            entries={rows.map((it) => ({
              ...{ key: it.id, icon: I.History, tone: 'ended', when: ago(it.happenedAt) },
              what: (
                <>
                  {it.event} <span className="dim">{it.panelUser}</span>
                </>
              ),
            }))}
          />
        )}
      </Listed>
    </Card>
  )
}
