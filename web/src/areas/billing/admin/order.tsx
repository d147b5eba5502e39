import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { order } from '../../../api/admin-reads.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, Copy, Facts, Link, Loaded, Page, Table, useFormats } from '../../../ui/index.ts'
import type { Order } from '../reads.ts'
import { OrderTag } from '../status.tsx'

/** One order: its items, its servers and its payment. */
export function AdminOrderPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <div className="service">
      <Loaded query={useQuery(order(id))}>{(found) => <Found order={found} />}</Loaded>
    </div>
  )
}

function Found({ order: it }: { order: Order }) {
  const { orders } = useAdminTexts()
  const { moment } = useFormats()
  const may = useMay()
  const instant = (at: string | null) => (at ? moment(at) : '–')
  return (
    <Page wide title={it.number} sub={<OrderTag order={it} />}>
      <div className="grid split">
        <Items order={it} />
        <div className="stack">
          <Card title={orders.facts}>
            <Facts
              rows={[
                [orders.placed, moment(it.createdAt)],
                [orders.paidAt, instant(it.paidAt)],
                [orders.fulfilledAt, instant(it.fulfilledAt)],
                ...(it.canceledAt ? ([[orders.canceledAt, moment(it.canceledAt)]] as const) : []),
                ...(it.startsAt ? ([[orders.startsAt, moment(it.startsAt)]] as const) : []),
                ...(may('invoices:read')
                  ? ([
                      [
                        orders.invoice,
                        <Link key="invoice" to="/admin/invoices/$id" params={{ id: it.invoiceId }}>
                          {orders.openInvoice}
                        </Link>,
                      ],
                    ] as const)
                  : []),
                ...(may('services:read')
                  ? ([
                      [
                        orders.servers,
                        <Link
                          key="servers"
                          to="/admin/servers"
                          search={{ view: 'all', orderId: it.id }}
                        >
                          {orders.openServers}
                        </Link>,
                      ],
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
