import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Confirm,
  Empty,
  I,
  Listed,
  Page,
  refused,
  Table,
  told,
  useFormats,
} from '../../ui/index.ts'
import { Pay } from './pay.tsx'
import type { Order } from './reads.ts'
import { OrderTag } from './status.tsx'

/** What was ordered; an order that is not paid yet can be cancelled. */
export function Orders() {
  const { billing, common } = useTexts()
  const { money, date } = useFormats()
  const [canceling, ask] = useState<Order | null>(null)
  const [paying, pay] = useState<Order | null>(null)
  const list = useList<Order>(['orders'], (where, signal) =>
    client.GET('/v1/billing/orders', { params: { query: where }, signal }),
  )
  const cancel = useAction(
    (id: string, intent) =>
      client.POST('/v1/billing/orders/{id}/cancel', { params: { path: { id } }, ...intent }),
    {
      changes: [['orders'], ['invoices'], ['summary'], ['services']],
      done: () => {
        told(billing.orderCanceled)
        ask(null)
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const toShop = (
    <Empty
      icon={I.ShoppingCart}
      title={billing.noOrders}
      action={
        <Button component="a" href="/">
          {billing.toShop}
        </Button>
      }
    >
      {billing.noOrdersText}
    </Empty>
  )
  return (
    <Page title={billing.orders}>
      <div className="card">
        <Listed list={list} empty={toShop}>
          {(rows) => (
            <Table
              caption={billing.orders}
              rows={rows}
              rowKey={({ id }) => id}
              links
              columns={[
                {
                  head: billing.number,
                  cell: ({ id, number }) => (
                    <a href={`/orders/${id}`} className="rowlink num">
                      {number}
                    </a>
                  ),
                },
                {
                  head: billing.statusHead,
                  small: 'second',
                  cell: (order) => <OrderTag order={order} />,
                },
                {
                  head: billing.items,
                  small: 'sub',
                  cell: ({ items }) => items.map(({ name }) => name).join(', '),
                },
                {
                  head: billing.date,
                  small: 'hide',
                  cell: ({ createdAt }) => <span className="dim num">{date(createdAt)}</span>,
                },
                {
                  head: billing.amount,
                  right: true,
                  small: 'second',
                  cell: ({ totalCents, currency }) => money(totalCents, currency),
                },
                {
                  head: billing.cancelOrder,
                  silent: true,
                  right: true,
                  cell: (order) =>
                    order.status === 'pending' ? (
                      <span className="above row gap12">
                        {order.payable ? (
                          <Button
                            size="compact-sm"
                            aria-label={`${billing.pay} ${order.number}`}
                            onClick={() => pay(order)}
                          >
                            {billing.pay}
                          </Button>
                        ) : null}
                        <Button
                          size="compact-sm"
                          variant="default"
                          aria-label={`${billing.cancelOrder} ${order.number}`}
                          onClick={() => ask(order)}
                        >
                          {billing.cancelOrder}
                        </Button>
                      </span>
                    ) : null,
                },
              ]}
            />
          )}
        </Listed>
      </div>
      <Pay
        invoiceIds={paying ? [paying.invoiceId] : []}
        amount={null}
        opened={paying !== null}
        close={() => pay(null)}
        back="/checkout/return"
      />
      <Confirm
        opened={canceling !== null}
        close={() => ask(null)}
        title={billing.cancelOrderTitle(canceling?.number ?? '')}
        action={billing.cancelOrder}
        run={() => canceling && cancel.mutate(canceling.id)}
        isRunning={cancel.isPending}
        isDangerous
      >
        {billing.cancelOrderText}
      </Confirm>
    </Page>
  )
}
