import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useLiveList } from '../../../api/live-lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  amountOf,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  LinkedFilter,
  Page,
  useChoice,
  useFormats,
  useListAddress,
  useOrder,
} from '../../../ui/index.ts'
import { OrderTag } from '../status.tsx'

type Order = components['schemas']['AdminOrder']

const STATUSES = ['pending', 'paid', 'fulfilled', 'canceled'] as const

/** All orders of the shop. */
export function AdminOrders() {
  const { orders, lists } = useAdminTexts()
  const { billing } = useTexts()
  const { search } = useListAddress()
  const status = useChoice('status', orders.statusHead, STATUSES, billing.orderStatus)
  const order = useOrder()
  const query = {
    ...status.query,
    ...order.query,
    ...(search.userId && { userId: search.userId }),
  }
  const list = useLiveList<Order>(
    { list: ['admin', 'orders', 'list', query], news: ['admin', 'orders', 'news', query] },
    (where, signal, headers) =>
      client.GET('/v1/admin/orders', {
        params: { query: { ...where, ...query } },
        signal,
        headers,
      }),
    { isCounted: true },
  )
  return (
    <Page wide title={orders.title}>
      <DataList
        name="orders"
        views="orders"
        caption={orders.title}
        list={list}
        columns={useColumns()}
        filters={
          <>
            {status.filter}
            <LinkedFilter name="userId" label={lists.ofCustomer} />
            {order.filter}
          </>
        }
        empty={
          <Empty icon={I.ShoppingCart} title={orders.none}>
            {orders.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

function useColumns(): readonly DataColumn<Order>[] {
  const { orders } = useAdminTexts()
  const { billing } = useTexts()
  const { money, moment } = useFormats()
  const itemsOf = ({ items }: Order) =>
    items.map(({ productName, quantity }) => `${quantity} × ${productName}`).join(', ')
  return [
    {
      ...{ id: 'number', head: orders.number, value: ({ number }) => number },
      cell: ({ id, number }) => (
        <Link to="/admin/orders/$id" params={{ id }} className="rowlink num">
          {number}
        </Link>
      ),
    },
    {
      ...{ id: 'status', head: orders.statusHead, small: 'second' },
      value: ({ status }) => billing.orderStatus[status],
      cell: (order) => <OrderTag order={order} />,
    },
    {
      ...{ id: 'customer', head: orders.customer, small: 'hide' },
      value: ({ customerName }) => customerName,
      cell: ({ customerName }) => <span className="cut block narrow">{customerName ?? '–'}</span>,
    },
    {
      ...{ id: 'items', head: orders.items, small: 'sub', value: itemsOf },
      cell: (order) => <span className="cut block narrow">{itemsOf(order)}</span>,
    },
    {
      ...{ id: 'total', head: orders.total, right: true, small: 'second' },
      value: ({ totalCents, currency }) => amountOf(totalCents, currency),
      cell: ({ totalCents, currency }) => money(totalCents, currency),
    },
    {
      ...{ id: 'placed', head: orders.placed, right: true, small: 'hide' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="dim">{moment(createdAt)}</span>,
    },
  ]
}
