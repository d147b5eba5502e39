import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActButton,
  amountOf,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Select,
  Tag,
  TextInput,
  type Tone,
  useChoice,
  useFormats,
} from '../../../ui/index.ts'

type Refund = components['schemas']['AdminRefund']

const STATUSES = ['action_required', 'pending', 'failed', 'succeeded', 'canceled'] as const
const TONES: Readonly<Record<Refund['status'], Tone>> = {
  action_required: 'attention',
  pending: 'waiting',
  failed: 'failed',
  succeeded: 'active',
  canceled: 'ended',
}

/** Refunds; some of them are sent by hand. */
export function Refunds() {
  const { payments } = useAdminTexts()
  const status = useChoice('status', payments.statusHead, STATUSES, payments.refund)
  const list = useList(['admin', 'refunds', status.query], (where, signal) =>
    client.GET('/v1/admin/refunds', {
      params: { query: { ...where, ...status.query } },
      signal,
    }),
  )
  return (
    <DataList
      name="refunds"
      views="refunds"
      caption={payments.refunds}
      list={list}
      columns={useColumns()}
      filters={status.filter}
      empty={
        <Empty icon={I.CornerDownLeft} title={payments.noRefunds}>
          {payments.noRefundsText}
        </Empty>
      }
    />
  )
}

function useColumns(): readonly DataColumn<Refund>[] {
  const { payments, invoices } = useAdminTexts()
  const { money, date } = useFormats()
  const may = useMay()
  return [
    {
      ...{ id: 'reason', head: payments.reasonHead, value: ({ reason }) => reason },
      cell: ({ reason, invoiceId, invoiceNumber }) =>
        invoiceId ? (
          <Link to="/admin/invoices/$id" params={{ id: invoiceId }} className="rowlink">
            {reason || (invoiceNumber ?? invoices.number)}
          </Link>
        ) : (
          reason
        ),
    },
    {
      ...{ id: 'customer', head: payments.customer, small: 'sub' },
      value: ({ customerName, customerEmail }) => customerName || customerEmail,
      cell: ({ customerName, customerEmail, userId }) =>
        may('users:read') ? (
          <span className="above">
            <Link to="/admin/people/$id" params={{ id: userId }}>
              {customerName || customerEmail}
            </Link>
          </span>
        ) : (
          customerName || customerEmail
        ),
    },
    {
      ...{ id: 'invoice', head: invoices.number, small: 'hide' },
      value: ({ invoiceNumber }) => invoiceNumber,
      cell: ({ invoiceNumber }) => invoiceNumber ?? '–',
    },
    {
      ...{ id: 'status', head: payments.statusHead, small: 'second' },
      value: ({ status }) => payments.refund[status],
      cell: ({ status }) => <Tag tone={TONES[status]}>{payments.refund[status]}</Tag>,
    },
    {
      ...{ id: 'to', head: payments.to, small: 'hide', value: ({ to }) => payments.tos[to] },
      cell: ({ to }) => payments.tos[to],
    },
    {
      ...{ id: 'created', head: payments.created, right: true, small: 'hide' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="dim">{date(createdAt)}</span>,
    },
    {
      ...{ id: 'amount', head: payments.amount, right: true, small: 'second' },
      value: ({ amountCents, currency }) => amountOf(amountCents, currency),
      cell: ({ amountCents, currency }) => money(amountCents, currency),
    },
    {
      ...{ id: 'confirm', head: payments.confirm, silent: true, right: true },
      cell: (it) =>
        it.byHand && it.status === 'action_required' && may('invoices:write') ? (
          <span className="above">
            <ConfirmRefund refund={it} />
          </span>
        ) : null,
    },
  ]
}

function ConfirmRefund({ refund: { id, amountCents, currency } }: { refund: Refund }) {
  const { payments } = useAdminTexts()
  const { money } = useFormats()
  return (
    <ActButton
      label={payments.confirm}
      title={payments.confirmTitle(money(amountCents, currency))}
      consequence={payments.confirmText}
      verb={payments.confirm}
      initial={{ outcome: 'sent' as 'sent' | 'impossible', reference: '' }}
      call={({ outcome, reference }, intent) =>
        client.POST('/v1/admin/refunds/{id}/confirm', {
          params: { path: { id } },
          body: { outcome, ...(reference.trim() && { reference: reference.trim() }) },
          ...intent,
        })
      }
      changes={[
        ['admin', 'refunds'],
        ['admin', 'attention'],
      ]}
      told={payments.confirmed}
    >
      {({ choice, text }) => (
        <>
          <Select
            {...choice('outcome')}
            label={payments.outcome}
            data={[
              { value: 'sent', label: payments.outcomes.sent },
              { value: 'impossible', label: payments.outcomes.impossible },
            ]}
          />
          <TextInput {...text('reference')} label={payments.reference} />
        </>
      )}
    </ActButton>
  )
}
