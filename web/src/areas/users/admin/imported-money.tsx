import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, useFormats } from '../../../ui/index.ts'
import { importedCreditOf, importedOrdersOf, importedPaymentsOf } from './reads.ts'

type Entry = {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly at: string | null
  readonly amountCents: number
  readonly currency: string
}

/** What the person paid, ordered and had in credit in the system that they were imported from; nothing if none. */
export function ImportedMoney({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const may = useMay()
  const payments = useQuery({ ...importedPaymentsOf(userId), enabled: may('invoices:read') })
  const credit = useQuery({ ...importedCreditOf(userId), enabled: may('invoices:read') })
  const orders = useQuery({ ...importedOrdersOf(userId), enabled: may('orders:read') })
  const groups: readonly (readonly [head: string, entries: readonly Entry[], more: boolean])[] = [
    [
      people.importedPayments,
      (payments.data?.data ?? []).map(({ reference, gateway, inCents, outCents, ...it }) => ({
        ...{ id: it.id, currency: it.currency, at: it.happenedAt },
        ...{ title: reference || gateway, about: reference ? gateway : it.description },
        amountCents: inCents - outCents,
      })),
      payments.data?.nextCursor != null,
    ],
    [
      people.importedCredit,
      (credit.data?.data ?? []).map(({ description, happenedAt: at, ...it }) => ({
        ...{ id: it.id, currency: it.currency, at, title: description, about: '' },
        amountCents: it.amountCents,
      })),
      credit.data?.nextCursor != null,
    ],
    [
      people.importedOrders,
      (orders.data?.data ?? []).map(({ number: title, status: about, orderedAt: at, ...it }) => ({
        ...{ id: it.id, currency: it.currency, at, title, about },
        amountCents: it.amountCents,
      })),
      orders.data?.nextCursor != null,
    ],
  ]
  const filled = groups.filter(([, entries]) => entries.length > 0)
  if (filled.length === 0) return null
  return (
    <Card title={people.importedMoney}>
      <div className="stack">
        {filled.map(([head, entries, more]) => (
          <section key={head} aria-label={head}>
            <h3 className="sub">{head}</h3>
            <ul>
              {entries.map((it) => (
                <Line key={it.id} entry={it} />
              ))}
            </ul>
            {more ? <p className="sub">{people.importedMore}</p> : null}
          </section>
        ))}
      </div>
    </Card>
  )
}

function Line({ entry: { title, about, at, amountCents, currency } }: { entry: Entry }) {
  const { money, date } = useFormats()
  const below = [at ? date(at) : '', about].filter(Boolean).join(' · ')
  return (
    <li className="row between">
      <span className="cut">
        <span className="cut block">{title || '–'}</span>
        {below ? <span className="sub cut block">{below}</span> : null}
      </span>
      <span className="num">{money(amountCents, currency)}</span>
    </li>
  )
}
