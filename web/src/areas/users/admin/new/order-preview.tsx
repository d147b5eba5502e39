import type { components, paths } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../../api/client.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { Loaded, Notice, SumLine, useFormats } from '../../../../ui/index.ts'

type Wish =
  paths['/v1/admin/users/{id}/orders/preview']['post']['requestBody']['content']['application/json']
type Quote = components['schemas']['CustomerQuote']

/** What an order would cost its customer, with the tax by rate, and what prevents it. */
export function OrderPreview({ userId, wish }: { userId: string; wish: Wish }) {
  const preview = useQuery({
    ...read(['admin', 'users', userId, 'orders', 'preview', wish], (signal) =>
      client.POST('/v1/admin/users/{id}/orders/preview', {
        params: { path: { id: userId } },
        body: wish,
        signal,
      }),
    ),
    staleTime: 0,
    retry: false,
  })
  if (preview.error) return <Notice tone="attention" title={preview.error.message} />
  return (
    <div aria-live="polite">
      <Loaded query={preview} waiting="…">
        {(quote) => <Sums {...quote} />}
      </Loaded>
    </div>
  )
}

function Sums({ items, taxes, faults, currency, ...totals }: Quote) {
  const { orders } = useAdminTexts()
  const { money, rate } = useFormats()
  const { subtotalCents, discountCents, totalCents } = totals
  const [item] = items
  return (
    <div className="stack s12">
      {faults.map(({ path, message }) => (
        <Notice key={`${path} ${message}`} tone="attention" title={message} />
      ))}
      <div>
        <SumLine label={orders.subtotal} amount={money(subtotalCents, currency)} />
        {discountCents > 0 ? (
          <SumLine label={orders.discount} amount={money(-discountCents, currency)} />
        ) : null}
        {taxes.map((it) => (
          <SumLine
            key={`${it.category} ${it.rateBasisPoints}`}
            label={it.rateBasisPoints ? orders.taxOf(rate(it.rateBasisPoints)) : orders.noTax}
            amount={money(it.taxCents, currency)}
          />
        ))}
        <SumLine total label={orders.total} amount={money(totalCents, currency)} />
      </div>
      {item && item.trialDays > 0 ? <p className="sub">{orders.trial(item.trialDays)}</p> : null}
    </div>
  )
}
