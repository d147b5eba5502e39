import type { components } from '@moorage/client'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useLiveList } from '../../../api/live-lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  amountOf,
  Button,
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

// Most visits of the list place no order.
const NewOrder = lazy(async () => ({
  default: (await import('../../users/admin/new/order.tsx')).NewOrder,
}))

/** The button that places an order for a customer; nothing for staff who may not. */
function Create() {
  const { orders } = useAdminTexts()
  const may = useMay()
  const [isOpen, open] = useState(false)
  if (!['orders:write', 'users:read', 'store:read'].every((it) => may(it))) return null
  return (
    <>
      <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => open(true)}>
        {orders.create}
      </Button>
      {isOpen ? (
        <Suspense>
          <NewOrder customer={null} close={() => open(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

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
    <Page wide title={orders.title} actions={<Create />}>
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
