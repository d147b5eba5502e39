import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, useFormats } from '../../../ui/index.ts'
import { RecordRefund } from './imported-refund.tsx'
import { importedCreditOf, importedOrdersOf, importedPaymentsOf } from './reads.ts'

type Entry = {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly at: string | null
  readonly amountCents: number
  readonly currency: string
  /** What can be done about it. */
  readonly action?: ReactNode
}

/** What the person paid, ordered and had in credit in the system that they were imported from; nothing if none. */
export function ImportedMoney({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const { money } = useFormats()
  const may = useMay()
  const payments = useQuery({ ...importedPaymentsOf(userId), enabled: may('invoices:read') })
  const credit = useQuery({ ...importedCreditOf(userId), enabled: may('invoices:read') })
  const orders = useQuery({ ...importedOrdersOf(userId), enabled: may('orders:read') })
  const groups: readonly (readonly [head: string, entries: readonly Entry[], more: boolean])[] = [
    [
      people.importedPayments,
      (payments.data?.data ?? []).map((it) => ({
        ...{ id: it.id, currency: it.currency, at: it.happenedAt },
        ...{ title: it.reference || it.gateway, about: aboutPayment(it, people, money) },
        amountCents: it.inCents - it.outCents,
        action: <RecordRefund payment={it} />,
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

type Payment = components['schemas']['ImportedPayment']
type PeopleTexts = ReturnType<typeof useAdminTexts>['people']

/** The gateway or the description of a payment, and how much of it was refunded. */
function aboutPayment(
  { reference, gateway, description, refundedCents, currency }: Payment,
  { importedRefund }: PeopleTexts,
  money: (cents: number, currency: string) => string,
): string {
  const refunded = refundedCents > 0 ? importedRefund.refunded(money(refundedCents, currency)) : ''
  return [reference ? gateway : description, refunded].filter(Boolean).join(' · ')
}

function Line({ entry: { title, about, at, amountCents, currency, action } }: { entry: Entry }) {
  const { money, date } = useFormats()
  const below = [at ? date(at) : '', about].filter(Boolean).join(' · ')
  return (
    <li className="row between">
      <span className="cut">
        <span className="cut block">{title || '–'}</span>
        {below ? <span className="sub cut block">{below}</span> : null}
      </span>
      <span className="row">
        {action}
        <span className="num">{money(amountCents, currency)}</span>
      </span>
    </li>
  )
}
