import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { order } from '../../../api/admin-reads.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, Copy, Facts, Link, Loaded, Page, Table, useFormats } from '../../../ui/index.ts'
import { Presence } from '../../desk/index.ts'
import { ServiceTag } from '../../services/index.ts'
import type { Order } from '../reads.ts'
import { InvoiceTag, OrderTag } from '../status.tsx'

const ObjectTimeline = lazy(async () => ({
  default: (await import('../../users/admin/index.ts')).ObjectTimeline,
}))

type Details = components['schemas']['AdminOrderDetails']

/** One order: its items, its servers and its payment. */
export function AdminOrderPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <div className="service">
      <Loaded isScreen query={useQuery(order(id))}>
        {(found) => <Found order={found} />}
      </Loaded>
    </div>
  )
}

function Found({ order: it }: { order: Details }) {
  const { orders } = useAdminTexts()
  const { moment } = useFormats()
  const may = useMay()
  const instant = (at: string | null) => (at ? moment(at) : '–')
  const customer = (
    <span className="block who">
      {may('users:read') ? (
        <Link to="/admin/people/$id" params={{ id: it.userId }}>
          {it.customerName}
        </Link>
      ) : (
        it.customerName
      )}
      <span className="sub block cut">{it.customerEmail}</span>
    </span>
  )
  return (
    <Page
      wide
      title={it.number}
      sub={
        <span className="row gap12 wrap">
          <OrderTag order={it} />
          <Presence kind="order" id={it.id} />
        </span>
      }
    >
      <div className="grid split">
        <div className="stack">
          {it.note === null ? null : (
            <Card title={orders.note}>
              <p className="typed">{it.note}</p>
            </Card>
          )}
          <Items order={it} />
          {it.services ? <Servers services={it.services} /> : null}
          {it.payments ? <Payments payments={it.payments} currency={it.currency} /> : null}
          <Suspense fallback={null}>
            <ObjectTimeline about="orders" id={it.id} />
          </Suspense>
        </div>
        <div className="stack">
          <Card title={orders.facts}>
            <Facts
              rows={[
                [orders.customer, customer],
                [orders.placed, moment(it.createdAt)],
                ...(it.placedBy ? ([[orders.placedBy, it.placedBy.name]] as const) : []),
                ...(it.heldUntil ? ([[orders.heldUntil, moment(it.heldUntil)]] as const) : []),
                [orders.paidAt, instant(it.paidAt)],
                [orders.fulfilledAt, instant(it.fulfilledAt)],
                ...(it.canceledAt ? ([[orders.canceledAt, moment(it.canceledAt)]] as const) : []),
                ...(it.startsAt ? ([[orders.startsAt, moment(it.startsAt)]] as const) : []),
                ...(it.invoice
                  ? ([
                      [orders.invoice, <InvoiceLink key="invoice" invoice={it.invoice} />],
                    ] as const)
                  : []),
                [orders.id, <Copy key="id" value={it.id} label={orders.id} />],
              ]}
            />
          </Card>
        </div>
      </div>
    </Page>
  )
}

function InvoiceLink({ invoice }: { invoice: NonNullable<Details['invoice']> }) {
  const { orders } = useAdminTexts()
  return (
    <span className="row gap12 wrap">
      <Link to="/admin/invoices/$id" params={{ id: invoice.id }}>
        {invoice.number ?? orders.openInvoice}
      </Link>
      <InvoiceTag invoice={invoice} />
    </span>
  )
}

/** The servers that were created for the order; nothing before that. */
function Servers({ services }: { services: NonNullable<Details['services']> }) {
  const { orders } = useAdminTexts()
  if (services.length === 0) return null
  return (
    <Card flush title={orders.servers}>
      <Table
        caption={orders.servers}
        rows={services}
        rowKey={({ id }) => id}
        columns={[
          {
            head: orders.servers,
            cell: ({ id, name }) => (
              <Link to="/admin/servers/$id" params={{ id }}>
                {name}
              </Link>
            ),
          },
          {
            ...{ head: orders.statusHead, right: true, small: 'second' },
            cell: ({ status }) => <ServiceTag status={status} power={null} />,
          },
        ]}
      />
    </Card>
  )
}

type PaymentsProps = {
  readonly payments: NonNullable<Details['payments']>
  readonly currency: string
}

/** The payments of the order; renders nothing if there are none. */
function Payments({ payments, currency }: PaymentsProps) {
  const { orders } = useAdminTexts()
  const { money, moment } = useFormats()
  if (payments.length === 0) return null
  return (
    <Card flush title={orders.payments}>
      <Table
        caption={orders.payments}
        rows={payments}
        rowKey={({ id }) => id}
        columns={[
          {
            head: orders.paidAt,
            cell: ({ id, paidAt }) => (
              <Link to="/admin/payments/$id" params={{ id }}>
                {moment(paidAt)}
              </Link>
            ),
          },
          {
            ...{ head: orders.gateway, small: 'sub' },
            cell: ({ gatewayName }) => gatewayName ?? orders.byStaff,
          },
          {
            ...{ head: orders.total, right: true, small: 'second' },
            cell: ({ amountCents }) => money(amountCents, currency),
          },
        ]}
      />
    </Card>
  )
}

function Items({ order: { items, totalCents, currency } }: { order: Order }) {
  const { orders } = useAdminTexts()
  const { money } = useFormats()
  return (
    <Card flush title={orders.items} right={<strong>{money(totalCents, currency)}</strong>}>
      <Table
        caption={orders.items}
        rows={items}
        rowKey={({ id }) => id}
        columns={[
          {
            head: orders.items,
            cell: ({ name, productName, planName }) => (
              <span className="block who">
                <span className="strong block">{name || productName}</span>
                <span className="sub block">{planName}</span>
              </span>
            ),
          },
          { head: orders.quantity, right: true, small: 'hide', cell: ({ quantity }) => quantity },
          {
            ...{ head: orders.total, right: true, small: 'second' },
            cell: (item) => money(item.totalCents, currency),
          },
        ]}
      />
    </Card>
  )
}
