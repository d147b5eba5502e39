import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { boot } from '../../api/boot.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Facts,
  I,
  Link,
  LinkButton,
  Loaded,
  Notice,
  Page,
  SumLine,
  useFormats,
} from '../../ui/index.ts'
import { methodName } from './names.ts'
import { Pay } from './pay.tsx'
import { type InvoiceDetails, invoice, payment } from './reads.ts'
import { useSave } from './save.ts'
import { InvoiceTag } from './status.tsx'

/** One invoice: as a document, how to pay it, and what happened to it. */
export function InvoicePage() {
  const { id = '' } = useParams({ strict: false })
  const query = useQuery(invoice(id))
  return (
    <div className="service">
      <Loaded isScreen query={query}>
        {(found) => <Screen invoice={found} />}
      </Loaded>
    </div>
  )
}

type InvoiceProps = { readonly invoice: InvoiceDetails }

function Screen({ invoice }: InvoiceProps) {
  const { billing, tickets } = useTexts()
  const { money } = useFormats()
  const { id, number, kind, dueCents, currency, status } = invoice
  const save = useSave()
  const [isPaying, pay] = useState(false)
  const canPay = status === 'open' && dueCents > 0
  const amount = money(dueCents, currency)
  const title = number ?? billing.proforma
  const pdf = () =>
    save(
      `${title}.pdf`,
      client.GET('/v1/billing/invoices/{id}/pdf', { params: { path: { id } }, parseAs: 'blob' }),
    )
  return (
    <Page
      title={title}
      head={
        <header className="page-head">
          <div>
            <div className="row gap12 wrap">
              <h1 className="num">{title}</h1>
              <InvoiceTag invoice={invoice} />
            </div>
            <div className="sub">{billing.kind[kind]}</div>
          </div>
          <div className="actions">
            <LinkButton to="/tickets" search={{ invoice: id }} variant="default">
              {tickets.ask}
            </LinkButton>
            {number ? (
              <Button
                variant="default"
                leftSection={<I.Download size={16} aria-hidden />}
                onClick={pdf}
              >
                {billing.download(billing.pdf)}
              </Button>
            ) : null}
          </div>
        </header>
      }
    >
      <div className="stack">
        <Followed />
        {invoice.disputed ? (
          <Notice tone="attention" title={billing.disputed}>
            {billing.disputedText}
          </Notice>
        ) : null}
        {invoice.replacedBy ? (
          <Notice
            tone="attention"
            title={billing.replaced}
            action={
              <LinkButton to="/invoices/$id" params={{ id: invoice.replacedBy }} size="xs">
                {billing.seeReplacement}
              </LinkButton>
            }
          >
            {billing.replacedText}
          </Notice>
        ) : null}
        <div className="grid split pay-first">
          <div className="deskback">
            <Paper invoice={invoice} />
          </div>
          <div className="stack">
            <Due invoice={invoice} pay={canPay ? () => pay(true) : null} />
            <History invoice={invoice} />
            {number ? (
              <Card title={billing.documents}>
                <div className="stack s8">
                  <Button variant="default" onClick={pdf}>
                    {billing.pdf}
                  </Button>
                  <Button
                    variant="default"
                    onClick={() =>
                      save(
                        `${title}.xml`,
                        client.GET('/v1/billing/invoices/{id}/xml', {
                          params: { path: { id } },
                          parseAs: 'blob',
                        }),
                      )
                    }
                  >
                    {billing.xml}
                  </Button>
                </div>
              </Card>
            ) : null}
          </div>
        </div>
      </div>
      <Pay invoiceIds={[id]} amount={amount} opened={isPaying && canPay} close={() => pay(false)} />
    </Page>
  )
}

const UNDER_WAY = ['open', 'action_required', 'processing']

/** After the return from a provider: shows the payment until its result is known. */
function Followed() {
  const { billing } = useTexts()
  const { payment: id } = useSearch({ strict: false })
  const found = useQuery({
    ...payment(id ?? ''),
    enabled: id !== undefined,
    refetchInterval: ({ state }) =>
      state.data && UNDER_WAY.includes(state.data.status) ? 2000 : false,
  }).data
  const { id: invoiceId = '' } = useParams({ strict: false })
  useQuery({
    ...invoice(invoiceId),
    refetchInterval: found && UNDER_WAY.includes(found.status) ? 2000 : false,
  })
  if (!found || found.status === 'paid') return null
  if (UNDER_WAY.includes(found.status)) {
    return (
      <Notice tone="waiting" title={billing.paymentUnderWay}>
        {billing.paymentUnderWayText}
      </Notice>
    )
  }
  return (
    <Notice tone="failed" title={billing.paymentFailed}>
      {found.failure?.message ?? billing.paymentFailedText}
    </Notice>
  )
}

function Due({ invoice, pay }: InvoiceProps & { pay: (() => void) | null }) {
  const { billing } = useTexts()
  const { money, date } = useFormats()
  const { dueCents, totalCents, currency, dueAt, paidAt, overdue, status } = invoice
  const isOpen = status === 'open'
  const said = overdue
    ? billing.overdueSince(date(dueAt ?? ''))
    : isOpen && dueAt
      ? billing.dueOn(date(dueAt))
      : paidAt
        ? billing.paidOn(date(paidAt))
        : billing.status[invoice.displayStatus]
  return (
    <Card title={isOpen ? billing.toPay : billing.status[invoice.displayStatus]}>
      <div className="fig">{money(isOpen ? dueCents : totalCents, currency)}</div>
      <p className="sub">{said}</p>
      {pay ? (
        <Button fullWidth className="below" onClick={pay}>
          {billing.payAmount(money(dueCents, currency))}
        </Button>
      ) : null}
    </Card>
  )
}

function Paper({ invoice }: InvoiceProps) {
  const { billing } = useTexts()
  const { money, date, lastDay, rate } = useFormats()
  const { number, currency, lines, taxes, seller, buyer, issuedAt, dueAt, createdAt } = invoice
  const amount = (cents: number) => money(cents, currency)
  return (
    <article className="paper" aria-label={billing.invoice}>
      <div className="row between top-aligned">
        <strong>{boot.shop}</strong>
        <div className="end">
          <h2>{billing.invoice}</h2>
          <div className="muted num">{number ?? billing.proforma}</div>
        </div>
      </div>
      <div className="grid cols-2 keep parties">
        <Party title={billing.from} party={seller} />
        <Party title={billing.to} party={buyer} />
      </div>
      <div className="row gap16 wrap">
        <span>
          <span className="muted">{billing.issued}</span> {date(issuedAt ?? createdAt)}
        </span>
        {dueAt ? (
          <span>
            <span className="muted">{billing.due}</span> {date(dueAt)}
          </span>
        ) : null}
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{billing.line}</th>
            <th scope="col" className="r">
              {billing.quantity}
            </th>
            <th scope="col" className="r">
              {billing.net}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                {line.description}
                {line.periodStart && line.periodEnd && !namesPeriod(line) ? (
                  <div className="muted">
                    {billing.period(
                      date(line.periodStart),
                      lastDay({ start: line.periodStart, end: line.periodEnd }),
                    )}
                  </div>
                ) : null}
              </td>
              <td className="r">{line.quantity}</td>
              <td className="r">{amount(line.netCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="totals">
        {invoice.discountCents > 0 ? (
          <SumLine label={billing.discount} amount={amount(-invoice.discountCents)} />
        ) : null}
        <SumLine label={billing.net} amount={amount(invoice.netCents)} />
        {taxes.map(({ category, rateBasisPoints, taxCents }) => (
          <SumLine
            key={`${category} ${rateBasisPoints}`}
            label={rateBasisPoints === null ? billing.taxFree : billing.tax(rate(rateBasisPoints))}
            amount={amount(taxCents)}
          />
        ))}
        <SumLine total label={billing.total} amount={amount(invoice.totalCents)} />
      </div>
    </article>
  )
}

type Line = components['schemas']['InvoiceLine']

/** Whether the text of a line already contains its period, as the text of a renewal does. */
function namesPeriod({ description, periodStart }: Pick<Line, 'description' | 'periodStart'>) {
  return periodStart !== null && description.includes(periodStart.slice(0, 10))
}

type PartyProps = {
  readonly title: string
  readonly party: components['schemas']['InvoiceParty']
}

function Party({ title, party: { name, company, vatNumber, address } }: PartyProps) {
  const { country } = useFormats()
  const { billing } = useTexts()
  const lines = [
    ...[address.line1, address.line2],
    [address.postcode, address.city].filter(Boolean).join(' '),
    address.country ? country(address.country) : null,
  ].filter((it): it is string => Boolean(it))
  return (
    <div>
      <div className="muted">{title}</div>
      <strong>{company ?? name}</strong>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
      {vatNumber ? (
        <div className="muted num">
          {billing.vatNumber} {vatNumber}
        </div>
      ) : null}
    </div>
  )
}

/** What was paid, returned and credited. */
function History({ invoice: { payments, refunds, creditNotes, currency } }: InvoiceProps) {
  const texts = useTexts()
  const { billing } = texts
  const { money, date } = useFormats()
  const paidBy = ({ means, gatewayName, method }: InvoiceDetails['payments'][number]) => {
    if (means === 'credit') return billing.fromCredit
    const { brand = null, last4 = null } = method ?? {}
    return brand || last4
      ? methodName({ kind: 'card', brand, last4, label: null }, texts)
      : (gatewayName ?? billing.methodKinds.other)
  }
  return (
    <>
      {payments.length > 0 ? (
        <Card title={billing.payments}>
          <Facts
            rows={payments.map((it) => [
              `${it.paidAt ? `${date(it.paidAt)}, ` : ''}${paidBy(it)}`,
              money(it.amountCents, currency),
            ])}
          />
        </Card>
      ) : null}
      {refunds.length > 0 ? (
        <Card title={billing.refunds}>
          <Facts
            rows={refunds.map((it) => [
              `${date(it.createdAt)}, ${billing.refundTo[it.to]}`,
              money(it.amountCents, it.currency),
            ])}
          />
        </Card>
      ) : null}
      {creditNotes.length > 0 ? (
        <Card title={billing.creditNotes}>
          <Facts
            rows={creditNotes.map((it) => [
              <Link key={it.id} to="/credit-notes/$id" params={{ id: it.id }}>
                {it.number}
              </Link>,
              money(it.totalCents, it.currency),
            ])}
          />
        </Card>
      ) : null}
    </>
  )
}
