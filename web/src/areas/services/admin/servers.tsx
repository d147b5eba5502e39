import { client } from '../../../api/client.ts'
import { useLiveList } from '../../../api/live-lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  amountOf,
  type Bulk,
  type DataColumn,
  DataList,
  Emblem,
  Empty,
  I,
  Link,
  LinkedFilter,
  Page,
  SearchFilter,
  SegmentedControl,
  useChoice,
  useFormats,
  useListAddress,
  useOrder,
} from '../../../ui/index.ts'
import { paidUntil, perPeriod } from '../period.ts'
import { ServiceTag, STATUSES } from '../status.tsx'
import type { AdminService, TroubledService } from './reads.ts'

/** Servers with problems, and all servers. */
export function AdminServers() {
  const { servers } = useAdminTexts()
  const { search, set } = useListAddress()
  const view = search.view === 'all' ? 'all' : 'troubled'
  const views = [
    { value: 'troubled', label: servers.troubled },
    { value: 'all', label: servers.all },
  ]
  return (
    <Page
      wide
      title={servers.title}
      actions={
        <SegmentedControl
          aria-label={servers.views}
          value={view}
          data={views}
          onChange={(value) =>
            set({
              view: value === 'all' ? 'all' : undefined,
              status: undefined,
              kind: undefined,
              sort: undefined,
            })
          }
        />
      }
    >
      {view === 'all' ? <All /> : <Troubled />}
    </Page>
  )
}

const KINDS = [
  ...(['failed', 'provisioning', 'transition', 'upgrade'] as const),
  ...(['unmanaged', 'renewal', 'unwarned', 'delivery'] as const),
] as const

function Troubled() {
  const { servers } = useAdminTexts()
  const kind = useChoice('kind', servers.trouble, KINDS, servers.kind)
  const list = useLiveList<TroubledService>(
    {
      list: ['admin', 'services', 'troubled', kind.query],
      news: ['admin', 'services', 'troubled-news', kind.query],
    },
    (where, signal, headers) =>
      client.GET('/v1/admin/services/troubled', {
        params: { query: { ...where, ...kind.query } },
        signal,
        headers,
      }),
  )
  return (
    <DataList
      name="troubled-servers"
      views="troubled_servers"
      caption={servers.troubled}
      list={list}
      columns={useTroubledColumns()}
      filters={kind.filter}
      empty={
        <Empty icon={I.CircleCheck} title={servers.fine}>
          {servers.fineText}
        </Empty>
      }
      {...useBulk('retry')}
    />
  )
}

type BulkAction = 'suspend' | 'unsuspend' | 'retry' | 'free_days'

/** The bulk actions on services for staff who may change them; nothing for other staff. */
function useBulk(...names: readonly BulkAction[]): {
  readonly bulk?: Bulk<AdminService, BulkAction>
} {
  const { servers } = useAdminTexts()
  const may = useMay()
  if (!may('services:write')) return {}
  const actions = [
    { action: 'suspend', verb: servers.suspend, text: servers.suspendText, isDangerous: true },
    { action: 'unsuspend', verb: servers.unsuspend, text: servers.unsuspendText },
    { action: 'retry', verb: servers.retry, text: servers.retryText },
    {
      action: 'free_days',
      verb: servers.freeDays,
      text: servers.freeDaysText,
      days: servers.freeDaysCount,
      reason: servers.freeDaysReason,
    },
  ] as const
  return {
    bulk: {
      actions: actions.filter(({ action }) => names.includes(action)),
      nameOf: ({ name, customerName }) => [name, customerName].filter(Boolean).join(' · '),
      call: (body, intent) => client.POST('/v1/admin/services/bulk', { body, ...intent }),
      changes: [
        ['admin', 'services'],
        ['admin', 'attention'],
      ],
    },
  }
}

function useTroubledColumns(): readonly DataColumn<TroubledService>[] {
  const { servers } = useAdminTexts()
  const { money, ago } = useFormats()
  return [
    useNameColumn(),
    {
      ...{ id: 'trouble', head: servers.trouble, small: 'sub' },
      value: ({ troubles }) => troubles.map(({ kind }) => servers.kind[kind]).join(', '),
      cell: ({ troubles }) => troubles.map(({ kind }) => servers.kind[kind]).join(', '),
    },
    {
      ...{ id: 'said', head: servers.said, small: 'hide' },
      value: ({ troubles }) => troubles[0]?.lastError?.detail ?? null,
      cell: ({ troubles }) => (
        <span className="dim cut block narrow">{troubles[0]?.lastError?.detail ?? '–'}</span>
      ),
    },
    {
      ...{ id: 'tries', head: servers.tries, right: true, small: 'hide' },
      value: ({ troubles }) => troubles[0]?.attempts ?? null,
      cell: ({ troubles }) => troubles[0]?.attempts ?? '–',
    },
    {
      ...{ id: 'paid', head: servers.paid, right: true, small: 'second' },
      value: ({ paidCents, currency }) => amountOf(paidCents, currency),
      cell: ({ paidCents, currency }) => money(paidCents, currency),
    },
    {
      ...{ id: 'since', head: servers.since, right: true, small: 'hide' },
      value: ({ troubles }) => troubles[0]?.since ?? null,
      cell: ({ troubles }) => {
        const since = troubles[0]?.since
        return <span className="dim">{since ? ago(since) : '–'}</span>
      },
    },
  ]
}

const SUSPEND_REASONS = ['unpaid', 'admin', 'dispute'] as const

function All() {
  const { servers, lists } = useAdminTexts()
  const { services } = useTexts()
  const { search } = useListAddress()
  const status = useChoice('status', servers.statusHead, STATUSES, services.status)
  const reason = useChoice(
    'suspendReason',
    servers.suspension,
    SUSPEND_REASONS,
    servers.suspendReasons,
  )
  const order = useOrder()
  const { userId, orderId, nodeId, productId } = search
  const query = {
    ...{ ...status.query, ...reason.query, ...order.query },
    ...(search.q && { q: search.q }),
    ...{ ...(userId && { userId }), ...(orderId && { orderId }) },
    ...{ ...(nodeId && { nodeId }), ...(productId && { productId }) },
  }
  const list = useLiveList<AdminService>(
    { list: ['admin', 'services', 'list', query], news: ['admin', 'services', 'news', query] },
    (where, signal, headers) =>
      client.GET('/v1/admin/services', {
        params: { query: { ...where, ...query } },
        signal,
        headers,
      }),
    { isCounted: true },
  )
  return (
    <DataList
      name="servers"
      views="servers"
      caption={servers.title}
      list={list}
      columns={useColumns()}
      filters={
        <>
          <SearchFilter label={servers.find} />
          {status.filter}
          {reason.filter}
          <LinkedFilter name="userId" label={lists.ofCustomer} />
          <LinkedFilter name="orderId" label={servers.ofOrder} />
          <LinkedFilter name="nodeId" label={servers.ofPanel} />
          <LinkedFilter name="productId" label={servers.ofProduct} />
          {order.filter}
        </>
      }
      empty={
        <Empty icon={I.Server2} title={servers.none}>
          {servers.noneText}
        </Empty>
      }
      {...useBulk('suspend', 'unsuspend', 'free_days')}
    />
  )
}

function useNameColumn(): DataColumn<AdminService> {
  const { servers } = useAdminTexts()
  return {
    ...{ id: 'name', head: servers.name, value: ({ name }) => name },
    cell: ({ id, name, game, product, customerName }) => (
      <span className="row gap12 who">
        <Emblem name={game ?? product.name} size={32} />
        <span className="cut">
          <Link to="/admin/servers/$id" params={{ id }} className="rowlink cut block">
            {name}
          </Link>
          <span className="sub cut block">
            {[customerName, product.name].filter(Boolean).join(' · ')}
          </span>
        </span>
      </span>
    ),
  }
}

function useColumns(): readonly DataColumn<AdminService>[] {
  const { servers } = useAdminTexts()
  const texts = useTexts()
  const { money, date } = useFormats()
  return [
    useNameColumn(),
    {
      ...{ id: 'status', head: servers.statusHead, small: 'second' },
      value: ({ status }) => texts.services.status[status],
      cell: ({ status }) => <ServiceTag status={status} power={null} />,
    },
    {
      ...{ id: 'address', head: servers.address, small: 'hide' },
      value: ({ panel }) => panel?.address ?? null,
      cell: ({ panel }) => <span className="num dim">{panel?.address ?? '–'}</span>,
    },
    {
      ...{ id: 'price', head: servers.price, right: true, small: 'hide' },
      value: ({ plan }) => amountOf(plan.priceCents, plan.currency),
      cell: ({ plan }) => (
        <>
          {money(plan.priceCents, plan.currency)}{' '}
          <span className="dim">{perPeriod(plan, texts)}</span>
        </>
      ),
    },
    {
      ...{ id: 'until', head: servers.until, right: true, small: 'hide' },
      value: paidUntil,
      cell: (it) => {
        const until = paidUntil(it)
        return <span className="dim">{until ? date(until) : '–'}</span>
      },
    },
    {
      ...{ id: 'created', head: servers.created, right: true, small: 'hide', optional: true },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => date(createdAt),
    },
  ]
}
