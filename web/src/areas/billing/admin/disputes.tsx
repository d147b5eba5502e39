import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  amountOf,
  Copy,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Tag,
  type Tone,
  useChoice,
  useFormats,
} from '../../../ui/index.ts'

type Dispute = components['schemas']['Dispute']

const STATUSES = [
  ...(['needs_response', 'inquiry', 'under_review'] as const),
  ...(['won', 'lost', 'closed_without_loss'] as const),
] as const
const TONES: Readonly<Record<Dispute['status'], Tone>> = {
  needs_response: 'attention',
  inquiry: 'waiting',
  under_review: 'waiting',
  won: 'active',
  lost: 'failed',
  closed_without_loss: 'active',
}

/** Payments that customers dispute at their bank. */
export function Disputes() {
  const { payments } = useAdminTexts()
  const status = useChoice('status', payments.statusHead, STATUSES, payments.dispute)
  const list = useList(['admin', 'disputes', status.query], (where, signal) =>
    client.GET('/v1/admin/disputes', {
      params: { query: { ...where, ...status.query } },
      signal,
    }),
  )
  return (
    <DataList
      name="disputes"
      views="disputes"
      caption={payments.disputes}
      list={list}
      columns={useColumns()}
      filters={status.filter}
      empty={
        <Empty icon={I.ShieldCheck} title={payments.noDisputes}>
          {payments.noDisputesText}
        </Empty>
      }
    />
  )
}

function useColumns(): readonly DataColumn<Dispute>[] {
  const { payments, invoices } = useAdminTexts()
  const { money, date } = useFormats()
  const may = useMay()
  return [
    {
      ...{ id: 'payment', head: payments.payment, value: (it) => it.providerPaymentId },
      cell: (it) => (
        <span className="above">
          <Copy value={it.providerPaymentId} label={payments.payment} />
        </span>
      ),
    },
    {
      ...{ id: 'status', head: payments.statusHead, small: 'second' },
      value: ({ status }) => payments.dispute[status],
      cell: ({ status }) => <Tag tone={TONES[status]}>{payments.dispute[status]}</Tag>,
    },
    {
      ...{ id: 'reason', head: payments.reasonHead, small: 'hide', value: ({ reason }) => reason },
      cell: ({ reason }) => reason ?? '–',
    },
    {
      ...{ id: 'customer', head: payments.customer, small: 'sub' },
      value: ({ customerName, customerEmail }) => customerName || customerEmail,
      cell: ({ customerName, customerEmail, userId, invoiceIds }) => (
        <span className="row">
          {may('users:read') ? (
            <Link to="/admin/people/$id" params={{ id: userId }}>
              {customerName || customerEmail}
            </Link>
          ) : (
            customerName || customerEmail
          )}
          {invoiceIds[0] ? (
            <Link to="/admin/invoices/$id" params={{ id: invoiceIds[0] }}>
              {invoices.number}
            </Link>
          ) : null}
        </span>
      ),
    },
    {
      ...{ id: 'answer', head: payments.answerBy, right: true, small: 'hide' },
      value: ({ respondBy }) => respondBy,
      cell: ({ respondBy }) => (respondBy ? date(respondBy) : '–'),
    },
    {
      ...{ id: 'amount', head: payments.amount, right: true, small: 'second' },
      value: ({ amountCents, currency }) => amountOf(amountCents, currency),
      cell: ({ amountCents, currency }) => money(amountCents, currency),
    },
  ]
}
