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
  DateFilter,
  daysOf,
  Empty,
  I,
  Link,
  LinkButton,
  LinkedFilter,
  Page,
  SearchFilter,
  SegmentedControl,
  Tag,
  ToggleFilter,
  useChoice,
  useFormats,
  useListAddress,
  useOrder,
} from '../../../ui/index.ts'
import { InvoiceTag } from '../status.tsx'
import { CreditNotes } from './credit-notes.tsx'
import type { AdminInvoice } from './reads.ts'

const STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
const KINDS = ['checkout', 'upgrade', 'renewal', 'top_up', 'manual'] as const

/** All invoices and credit notes of the shop. */
export function AdminInvoices() {
  const { invoices } = useAdminTexts()
  const may = useMay()
  const { search, set } = useListAddress()
  const view = search.view === 'credit-notes' ? 'credit-notes' : 'invoices'
  return (
    <Page
      wide
      title={invoices.title}
      actions={
        may('invoices:write') ? (
          <LinkButton to="/admin/invoices/new" leftSection={<I.Plus size={16} aria-hidden />}>
            {invoices.create}
          </LinkButton>
        ) : null
      }
    >
      <div className="hscroll tools">
        <SegmentedControl
          aria-label={invoices.views}
          value={view}
          data={[
            { value: 'invoices', label: invoices.title },
            { value: 'credit-notes', label: invoices.creditNotes },
          ]}
          onChange={(wanted) =>
            set({
              view: wanted === 'credit-notes' ? wanted : undefined,
              ...{ status: undefined, q: undefined, number: undefined, kind: undefined },
              ...{ overdue: undefined, evidence: undefined, disputed: undefined },
              ...{ from: undefined, to: undefined },
            })
          }
        />
      </div>
      {view === 'credit-notes' ? <CreditNotes /> : <Invoices />}
    </Page>
  )
}

function Invoices() {
  const { invoices } = useAdminTexts()
  const { billing } = useTexts()
  const { search } = useListAddress()
  const { lists } = useAdminTexts()
  const status = useChoice('status', invoices.statusHead, STATUSES, billing.status)
  const kind = useChoice('kind', invoices.kind, KINDS, billing.kind)
  const order = useOrder()
  const query = {
    ...{ ...status.query, ...kind.query, ...daysOf(search), ...order.query },
    ...(search.q && { q: search.q }),
    ...(search.overdue === 'true' && { overdue: true }),
    ...(search.userId && { userId: search.userId }),
    ...(search.evidence === 'true' && { evidenceConflict: true }),
    ...(search.disputed === 'true' && { disputed: true }),
  }
  const list = useLiveList<AdminInvoice>(
    { list: ['admin', 'invoices', 'list', query], news: ['admin', 'invoices', 'news', query] },
    (where, signal, headers) =>
      client.GET('/v1/admin/invoices', {
        params: { query: { ...where, ...query } },
        signal,
        headers,
      }),
    { isCounted: true },
  )
  return (
    <DataList
      name="invoices"
      views="invoices"
      caption={invoices.title}
      list={list}
      columns={useColumns()}
      filters={
        <>
          <SearchFilter label={invoices.findNumber} />
          {status.filter}
          {kind.filter}
          <ToggleFilter name="overdue" label={billing.status.overdue} />
          <ToggleFilter name="disputed" label={invoices.disputed} />
          <ToggleFilter name="evidence" label={invoices.evidence} />
          <LinkedFilter name="userId" label={lists.ofCustomer} />
          {order.filter}
          <DateFilter />
        </>
      }
      empty={
        <Empty icon={I.Receipt} title={invoices.none}>
          {invoices.noneText}
        </Empty>
      }
      {...useBulk()}
    />
  )
}

type BulkAction = 'send' | 'void' | 'delete_draft' | 'mark_paid'

/** The bulk actions on invoices for staff who may change them; nothing for other staff. */
function useBulk(): { readonly bulk?: Bulk<AdminInvoice, BulkAction> } {
  const { invoices } = useAdminTexts()
  const may = useMay()
  if (!may('invoices:write')) return {}
  return {
    bulk: {
      actions: [
        { action: 'send', verb: invoices.send, text: invoices.sendText },
        ...(may('gateways:read')
          ? [
              {
                ...{
                  action: 'mark_paid' as const,
                  verb: invoices.markPaid,
                  text: invoices.markPaidText,
                },
                payment: true as const,
              },
            ]
          : []),
        {
          ...{ action: 'void', verb: invoices.void, text: invoices.voidText },
          ...{ isDangerous: true, reason: invoices.voidReason },
        },
        {
          ...{ action: 'delete_draft', verb: invoices.deleteDrafts, text: invoices.deleteText },
          isDangerous: true,
        },
      ],
      nameOf: ({ number, customerName }) =>
        [number ?? invoices.draft, customerName].filter(Boolean).join(' · '),
      call: (body, intent) => client.POST('/v1/admin/invoices/bulk', { body, ...intent }),
      changes: [['admin']],
    },
  }
}

function useColumns(): readonly DataColumn<AdminInvoice>[] {
  const { invoices } = useAdminTexts()
  const { billing } = useTexts()
  const { money, date } = useFormats()
  const day = (at: string | null) => <span className="dim">{at ? date(at) : '–'}</span>
  return [
    {
      ...{ id: 'number', head: invoices.number, value: ({ number }) => number },
      cell: ({ id, number }) => (
        <Link to="/admin/invoices/$id" params={{ id }} className="rowlink num">
          {number ?? invoices.draft}
        </Link>
      ),
    },
    {
      ...{ id: 'status', head: invoices.statusHead, small: 'second' },
      value: ({ displayStatus }) => billing.status[displayStatus],
      cell: (it) => (
        <span className="row">
          <InvoiceTag invoice={it} />
          {it.disputed ? <Tag tone="attention">{invoices.disputed}</Tag> : null}
        </span>
      ),
    },
    {
      ...{ id: 'customer', head: invoices.customer, small: 'hide' },
      value: ({ customerName }) => customerName,
      cell: ({ customerName }) => <span className="cut block narrow">{customerName ?? '–'}</span>,
    },
    {
      ...{ id: 'kind', head: invoices.kind, small: 'sub' },
      value: ({ kind }) => billing.kind[kind],
      cell: ({ kind }) => billing.kind[kind],
    },
    {
      ...{ id: 'issued', head: invoices.issued, right: true, small: 'hide' },
      value: ({ issuedAt }) => issuedAt,
      cell: ({ issuedAt }) => day(issuedAt),
    },
    {
      ...{ id: 'due', head: invoices.due, right: true, small: 'hide' },
      value: ({ dueAt }) => dueAt,
      cell: ({ dueAt }) => day(dueAt),
    },
    {
      ...{ id: 'open', head: invoices.open, right: true, small: 'hide', optional: true },
      value: ({ dueCents, currency }) => amountOf(dueCents, currency),
      cell: ({ dueCents, currency }) => (dueCents === 0 ? '–' : money(dueCents, currency)),
    },
    {
      ...{ id: 'total', head: invoices.total, right: true, small: 'second' },
      value: ({ totalCents, currency }) => amountOf(totalCents, currency),
      cell: ({ totalCents, currency }) => money(totalCents, currency),
    },
  ]
}
