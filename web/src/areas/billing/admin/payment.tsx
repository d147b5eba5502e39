import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Card,
  Copy,
  Facts,
  Link,
  Loaded,
  Notice,
  Page,
  Table,
  useFormats,
} from '../../../ui/index.ts'
import { useMethodOf } from './attempt-status.tsx'
import { AttemptList } from './attempts.tsx'

type Details = components['schemas']['AdminPaymentDetails']

const payment = (id: string) =>
  read(['admin', 'payments', id], (signal) =>
    client.GET('/v1/admin/payments/{id}', { params: { path: { id } }, signal }),
  )

/** One payment: its invoices, its fee, and the attempts before it. */
export function PaymentPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <div className="service">
      <Loaded isScreen query={useQuery(payment(id))}>
        {(found) => <Found payment={found} />}
      </Loaded>
    </div>
  )
}

function Found({ payment: it }: { payment: Details }) {
  const { payments } = useAdminTexts()
  const { money, moment } = useFormats()
  const may = useMay()
  const methodOf = useMethodOf()
  const amount = (cents: number) => money(cents, it.currency)
  const some = (label: string, cents: number) =>
    cents > 0 ? [[label, amount(cents)] as const] : []
  return (
    <Page wide title={payments.paymentOf(amount(it.receivedCents))} sub={moment(it.paidAt)}>
      <div className="stack">
        {it.disputed ? <Notice tone="attention" title={payments.disputedText} /> : null}
        <div className="grid split">
          <div className="stack">
            <Invoices payment={it} />
            <Card flush title={payments.attempts}>
              <AttemptList attempts={it.attempts} />
            </Card>
          </div>
          <Card title={payments.payment}>
            <Facts
              rows={[
                [
                  payments.customer,
                  may('users:read') ? (
                    <Link key="person" to="/admin/people/$id" params={{ id: it.userId }}>
                      {it.customerName}
                    </Link>
                  ) : (
                    it.customerName
                  ),
                ],
                [payments.methodHead, methodOf(it)],
                [payments.gateway, it.gatewayName ?? '–'],
                [payments.amount, amount(it.receivedCents)],
                ...some(payments.fee, it.feeCents),
                ...some(payments.toCredit, it.creditCents),
                ...some(payments.refunded, it.refundedCents),
                [
                  payments.providerId,
                  <Copy key="id" value={it.providerPaymentId} label={payments.providerId} />,
                ],
              ]}
            />
          </Card>
        </div>
      </div>
    </Page>
  )
}

function Invoices({ payment: { allocations, currency } }: { payment: Details }) {
  const { payments, invoices } = useAdminTexts()
  const { money } = useFormats()
  return (
    <Card flush title={payments.invoices}>
      {allocations.length === 0 ? (
        <p className="dim inset">{payments.noAllocations}</p>
      ) : (
        <Table
          links
          caption={payments.invoices}
          rows={allocations}
          rowKey={({ invoiceId }) => invoiceId}
          columns={[
            {
              head: invoices.number,
              cell: ({ invoiceId, invoiceNumber }) => (
                <Link to="/admin/invoices/$id" params={{ id: invoiceId }} className="rowlink num">
                  {invoiceNumber ?? invoices.draft}
                </Link>
              ),
            },
            {
              ...{ head: payments.amount, right: true, small: 'second' },
              cell: ({ amountCents }) => money(amountCents, currency),
            },
          ]}
        />
      )}
    </Card>
  )
}
