import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, Link, Listed, Table, useFormats } from '../../../ui/index.ts'
import { useMethodOf } from './attempt-status.tsx'
import { AttemptList } from './attempts.tsx'
import { NoteDocuments } from './credit-notes.tsx'

type Props = { readonly invoiceId: string }

/** How an invoice was paid, and attempts to pay it. Each is shown only if there is one. */
export function InvoicePayments({ invoiceId }: Props) {
  return (
    <>
      <Received invoiceId={invoiceId} />
      <Attempts invoiceId={invoiceId} />
      <CreditNotes invoiceId={invoiceId} />
    </>
  )
}

function Received({ invoiceId }: Props) {
  const { payments } = useAdminTexts()
  const { money, date } = useFormats()
  const methodOf = useMethodOf()
  const list = useList(['admin', 'invoices', invoiceId, 'payments'], (where, signal) =>
    client.GET('/v1/admin/payments', { params: { query: { ...where, invoiceId } }, signal }),
  )
  // Without a payment, the totals already show that nothing is paid.
  if (!list.error && !list.rows?.length) return null
  return (
    <Card flush title={payments.title}>
      <Listed list={list} empty={null}>
        {(rows) => (
          <Table
            links
            caption={payments.title}
            {...{ rows }}
            rowKey={({ id }) => id}
            columns={[
              {
                head: payments.paidAt,
                cell: ({ id, paidAt }) => (
                  <Link to="/admin/payments/$id" params={{ id }} className="rowlink">
                    {date(paidAt)}
                  </Link>
                ),
              },
              { head: payments.methodHead, small: 'sub', cell: methodOf },
              {
                ...{ head: payments.amount, right: true, small: 'second' },
                cell: ({ allocations, currency }) =>
                  money(
                    allocations.find((it) => it.invoiceId === invoiceId)?.amountCents ?? 0,
                    currency,
                  ),
              },
            ]}
          />
        )}
      </Listed>
    </Card>
  )
}

function Attempts({ invoiceId }: Props) {
  const { payments } = useAdminTexts()
  const list = useList(['admin', 'invoices', invoiceId, 'attempts'], (where, signal) =>
    client.GET('/v1/admin/payment-attempts', {
      params: { query: { ...where, limit: 10, invoiceId } },
      signal,
    }),
  )
  // Successful attempts alone add nothing to what the payment shows.
  if (!list.error && !list.rows?.some(({ status }) => status !== 'paid')) return null
  return (
    <Card flush title={payments.attempts}>
      <Listed list={list} empty={null}>
        {(rows) => <AttemptList attempts={rows} />}
      </Listed>
    </Card>
  )
}

function CreditNotes({ invoiceId }: Props) {
  const { payments, invoices } = useAdminTexts()
  const { money, date } = useFormats()
  const list = useList(['admin', 'invoices', invoiceId, 'credit-notes'], (where, signal) =>
    client.GET('/v1/admin/credit-notes', { params: { query: { ...where, invoiceId } }, signal }),
  )
  if (!list.error && !list.rows?.length) return null
  return (
    <Card flush title={invoices.creditNotes}>
      <Listed list={list} empty={null}>
        {(rows) => (
          <Table
            caption={invoices.creditNotes}
            {...{ rows }}
            rowKey={({ id }) => id}
            columns={[
              {
                head: invoices.number,
                cell: ({ number, issuedAt, reason }) => (
                  <span className="who block">
                    <span className="num strong">{number}</span>
                    <span className="sub block">
                      {[date(issuedAt), reason].filter(Boolean).join(' · ')}
                    </span>
                  </span>
                ),
              },
              {
                ...{ head: payments.amount, right: true, small: 'second' },
                cell: ({ totalCents, currency }) => money(totalCents, currency),
              },
              {
                ...{ head: invoices.documents, silent: true, right: true },
                cell: (it) => <NoteDocuments note={it} />,
              },
            ]}
          />
        )}
      </Listed>
    </Card>
  )
}
