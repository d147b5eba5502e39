import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  amountOf,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  SearchFilter,
  Tag,
  useChoice,
  useFormats,
  useListAddress,
  useOrder,
} from '../../../ui/index.ts'
import {
  type AdminPayment,
  ATTEMPT_STATUSES,
  type Attempt,
  AttemptTag,
  useMethodOf,
} from './attempt-status.tsx'

/** The payments that were received. */
export function Received() {
  const { payments } = useAdminTexts()
  const { search } = useListAddress()
  const order = useOrder()
  const query = {
    ...order.query,
    ...(search.providerId && { providerPaymentId: search.providerId }),
  }
  const list = useList(
    ['admin', 'payments', query],
    (where, signal) =>
      client.GET('/v1/admin/payments', { params: { query: { ...where, ...query } }, signal }),
    { isCounted: true },
  )
  return (
    <DataList
      name="payments"
      views="payments"
      caption={payments.received}
      list={list}
      columns={usePaymentColumns()}
      filters={
        <>
          <SearchFilter name="providerId" label={payments.providerId} />
          {order.filter}
        </>
      }
      empty={
        <Empty icon={I.Cash} title={payments.noPayments}>
          {payments.noPaymentsText}
        </Empty>
      }
    />
  )
}

function usePaymentColumns(): readonly DataColumn<AdminPayment>[] {
  const { payments } = useAdminTexts()
  const { money, date } = useFormats()
  const methodOf = useMethodOf()
  return [
    {
      ...{ id: 'customer', head: payments.customer, value: ({ customerName }) => customerName },
      cell: ({ id, customerName, customerEmail }) => (
        <span className="cut who block">
          <Link to="/admin/payments/$id" params={{ id }} className="rowlink cut block">
            {customerName}
          </Link>
          <span className="sub cut block">{customerEmail}</span>
        </span>
      ),
    },
    {
      ...{ id: 'invoices', head: payments.invoices, small: 'hide' },
      value: (it) => numbersOf(it),
      cell: (it) => <span className="num">{numbersOf(it) || '–'}</span>,
    },
    {
      ...{ id: 'method', head: payments.methodHead, small: 'hide', value: methodOf },
      cell: (it) => (
        <span className="row">
          {methodOf(it)}
          {it.disputed ? <Tag tone="attention">{payments.disputed}</Tag> : null}
        </span>
      ),
    },
    {
      ...{ id: 'gateway', head: payments.gateway, small: 'hide', optional: true },
      value: ({ gatewayName }) => gatewayName,
      cell: ({ gatewayName }) => gatewayName ?? '–',
    },
    {
      ...{ id: 'fee', head: payments.fee, right: true, small: 'hide' },
      value: ({ feeCents, currency }) => amountOf(feeCents, currency),
      cell: ({ feeCents, currency }) => (
        <span className="dim">{feeCents === 0 ? '–' : money(feeCents, currency)}</span>
      ),
    },
    {
      ...{ id: 'paid', head: payments.paidAt, right: true, small: 'sub' },
      value: ({ paidAt }) => paidAt,
      cell: ({ paidAt }) => <span className="dim">{date(paidAt)}</span>,
    },
    {
      ...{ id: 'amount', head: payments.amount, right: true, small: 'second' },
      value: ({ receivedCents, currency }) => amountOf(receivedCents, currency),
      cell: ({ receivedCents, currency }) => money(receivedCents, currency),
    },
  ]
}

function numbersOf({ allocations }: AdminPayment): string {
  return allocations.flatMap(({ invoiceNumber }) => invoiceNumber ?? []).join(', ')
}

/** Attempts to pay, also those that failed. */
export function Attempts() {
  const { payments } = useAdminTexts()
  const status = useChoice('status', payments.statusHead, ATTEMPT_STATUSES, payments.attempt)
  const list = useList(['admin', 'payment-attempts', status.query], (where, signal) =>
    client.GET('/v1/admin/payment-attempts', {
      params: { query: { ...where, ...status.query } },
      signal,
    }),
  )
  return (
    <DataList
      name="payment-attempts"
      views="payment_attempts"
      caption={payments.attempts}
      list={list}
      columns={useAttemptColumns()}
      filters={status.filter}
      empty={
        <Empty icon={I.CreditCard} title={payments.noAttempts}>
          {payments.noAttemptsText}
        </Empty>
      }
    />
  )
}

function useAttemptColumns(): readonly DataColumn<Attempt>[] {
  const { payments } = useAdminTexts()
  const { money, moment } = useFormats()
  const may = useMay()
  return [
    {
      ...{ id: 'customer', head: payments.customer, value: ({ customerName }) => customerName },
      cell: ({ invoiceIds: [invoiceId], customerName, customerEmail }) => (
        <span className="cut who block">
          {invoiceId ? (
            <Link to="/admin/invoices/$id" params={{ id: invoiceId }} className="rowlink cut block">
              {customerName}
            </Link>
          ) : (
            <span className="cut block strong">{customerName}</span>
          )}
          <span className="sub cut block">{customerEmail}</span>
        </span>
      ),
    },
    {
      ...{ id: 'status', head: payments.statusHead, small: 'second' },
      value: ({ status }) => payments.attempt[status],
      cell: (it) => <AttemptTag attempt={it} />,
    },
    {
      ...{ id: 'failure', head: payments.failure, small: 'hide' },
      value: ({ failureCode }) => failureCode,
      cell: ({ failureCode }) => <span className="mono dim">{failureCode ?? '–'}</span>,
    },
    {
      ...{ id: 'purpose', head: payments.purposeHead, small: 'hide' },
      value: ({ purpose }) => payments.purpose[purpose],
      cell: ({ purpose }) => payments.purpose[purpose],
    },
    {
      ...{ id: 'gateway', head: payments.gateway, small: 'hide' },
      value: ({ gatewayName }) => gatewayName,
      cell: ({ gatewayName }) => gatewayName ?? '–',
    },
    {
      ...{ id: 'person', head: payments.openCustomer, small: 'hide', silent: true },
      cell: ({ userId, customerName }) =>
        may('users:read') ? (
          <Link
            to="/admin/people/$id"
            params={{ id: userId }}
            className="above"
            aria-label={`${payments.openCustomer}, ${customerName}`}
          >
            {payments.openCustomer}
          </Link>
        ) : null,
    },
    {
      ...{ id: 'created', head: payments.startedAt, right: true, small: 'hide' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="dim">{moment(createdAt)}</span>,
    },
    {
      ...{ id: 'amount', head: payments.amount, right: true, small: 'second' },
      value: ({ amountCents, currency }) => amountOf(amountCents, currency),
      cell: ({ amountCents, currency }) => money(amountCents, currency),
    },
  ]
}
