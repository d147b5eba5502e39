import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { meta } from '../../api/reads.ts'
import { loadCreditKinds } from '../../texts/credit-kinds.ts'
import { useLocale, useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Confirm,
  Empty,
  I,
  Listed,
  Loaded,
  MoneyField,
  Page,
  Private,
  refused,
  Select,
  Table,
  Tag,
  told,
  useFormats,
} from '../../ui/index.ts'
import { methodName } from './names.ts'
import { credits, methods, type PaymentMethod } from './reads.ts'
import { RedeemVoucher } from './redeem.tsx'

/** Saved ways to pay, and credit. */
export function PaymentPage() {
  const { billing } = useTexts()
  return (
    <Page title={billing.payment}>
      <div className="grid split half">
        <Private>
          <Methods />
        </Private>
        <div className="stack">
          <Credit />
          <RedeemVoucher />
        </div>
      </div>
      <div className="below">
        <CreditHistory />
      </div>
    </Page>
  )
}

const here = () => location.origin + location.pathname

function Methods() {
  const texts = useTexts()
  const { billing, common } = texts
  const [removing, remove] = useState<PaymentMethod | null>(null)
  const shop = useQuery(meta).data
  const options = {
    changes: [['payment-methods']],
    failed: (error: Error) => refused(common.refused, error.message),
  }
  const toDefault = useAction(
    (id: string) =>
      client.PATCH('/v1/billing/payment-methods/{id}', {
        params: { path: { id } },
        body: { default: true },
      }),
    { ...options, done: () => told(common.saved) },
  )
  const removal = useAction(
    (id: string) => client.DELETE('/v1/billing/payment-methods/{id}', { params: { path: { id } } }),
    { ...options, done: () => remove(null) },
  )
  const add = useAction(
    (gatewayId: string, intent) =>
      client.POST('/v1/billing/setup-intent', {
        body: { gatewayId, mode: 'redirect', returnUrl: here() },
        ...intent,
      }),
    {
      ...options,
      done: ({ url }) => {
        if (url) location.assign(url)
      },
    },
  )
  const portal = useAction((_: null, intent) => client.POST('/v1/billing/portal-session', intent), {
    ...options,
    done: ({ url }) => location.assign(url),
  })
  const adding = shop?.gateways.filter(({ saveMethod }) => saveMethod === 'setup') ?? []
  const withPortal = shop?.gateways.find((it) => it.portal)
  return (
    <Card title={billing.methods}>
      <Loaded query={useQuery(methods)} waiting="…">
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={I.CreditCard} title={billing.noMethods}>
              {billing.noMethodsText}
            </Empty>
          ) : (
            <ul className="methods">
              {data.map((method) => (
                <li key={method.id}>
                  <I.CreditCard size={20} stroke={1.75} aria-hidden className="icon dim" />
                  <span className="grow">
                    {methodName(method, texts)} <Expiry method={method} />
                  </span>
                  {method.default ? (
                    <Tag tone="active">{billing.default}</Tag>
                  ) : (
                    <Button
                      size="compact-sm"
                      variant="default"
                      loading={toDefault.isPending && toDefault.variables === method.id}
                      onClick={() => toDefault.mutate(method.id)}
                    >
                      {billing.makeDefault}
                    </Button>
                  )}
                  <Button size="compact-sm" variant="default" onClick={() => remove(method)}>
                    {billing.removeMethod}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <div className="row wrap below">
        {adding.map(({ id, name }) => (
          <Button
            key={id}
            leftSection={<I.Plus size={16} aria-hidden />}
            loading={add.isPending && add.variables === id}
            onClick={() => add.mutate(id)}
          >
            {adding.length > 1 ? `${billing.addMethod}: ${name}` : billing.addMethod}
          </Button>
        ))}
        {withPortal ? (
          <Button variant="default" loading={portal.isPending} onClick={() => portal.mutate(null)}>
            {billing.portal(withPortal.name)}
          </Button>
        ) : null}
      </div>
      <Confirm
        opened={removing !== null}
        close={() => remove(null)}
        title={billing.removeMethodTitle(removing ? methodName(removing, texts) : '')}
        action={billing.removeMethod}
        run={() => removing && removal.mutate(removing.id)}
        isRunning={removal.isPending}
        isDangerous
      >
        {billing.removeMethodText}
      </Confirm>
    </Card>
  )
}

/** A card is marked this many months before it expires. */
const WARNED_MONTHS = 2

function Expiry({ method: { expMonth, expYear } }: { method: PaymentMethod }) {
  const { billing } = useTexts()
  if (expMonth === null || expYear === null) return null
  const text = `${String(expMonth).padStart(2, '0')}/${expYear}`
  const today = new Date()
  const left = (expYear - today.getFullYear()) * 12 + expMonth - (today.getMonth() + 1)
  if (left < 0) return <Tag tone="failed">{billing.expired(text)}</Tag>
  if (left <= WARNED_MONTHS) return <Tag tone="attention">{billing.expires(text)}</Tag>
  return <span className="sub">{billing.expires(text)}</span>
}

function Credit() {
  const { billing, common } = useTexts()
  const { money } = useFormats()
  const query = useQuery(credits)
  const gateways = useQuery(meta).data?.gateways ?? []
  const [amountCents, setAmount] = useState<number | null>(null)
  const [gatewayId, choose] = useState<string | null>(null)
  const navigate = useNavigate()
  const topUp = useAction(
    (wanted: { amountCents: number; gatewayId: string }, intent) =>
      client.POST('/v1/billing/credits/top-up', {
        body: { ...wanted, returnUrl: here() },
        ...intent,
      }),
    {
      changes: [['credit'], ['invoices'], ['summary']],
      done: ({ invoice, payment }) => {
        if (payment.redirectUrl) location.assign(payment.redirectUrl)
        else void navigate({ to: '/invoices/$id', params: { id: invoice.id } })
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const chosen = gatewayId ?? gateways[0]?.id ?? null
  return (
    <Card title={billing.credit}>
      <Loaded query={query} waiting="…">
        {({ balanceCents, currency, topUp: limits }) => (
          <>
            <div className="fig">{money(balanceCents, currency)}</div>
            <p className="sub">{billing.creditText}</p>
            {limits && chosen ? (
              <form
                className="stack s12 below"
                onSubmit={(event) => {
                  event.preventDefault()
                  if (amountCents !== null) topUp.mutate({ amountCents, gatewayId: chosen })
                }}
              >
                <MoneyField
                  label={`${billing.amountLabel} (${limits.currency})`}
                  description={billing.limits(money(limits.minimumCents, limits.currency))}
                  currency={limits.currency}
                  cents={amountCents}
                  onCents={setAmount}
                  limits={limits}
                  required
                />
                {gateways.length > 1 ? (
                  <Select
                    label={billing.payWith}
                    value={chosen}
                    data={gateways.map(({ id, name }) => ({ value: id, label: name }))}
                    onChange={choose}
                  />
                ) : null}
                <Button type="submit" loading={topUp.isPending}>
                  {billing.addCredit}
                </Button>
              </form>
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function CreditHistory() {
  const { billing } = useTexts()
  const { money, date } = useFormats()
  const locale = useLocale()
  const kinds = useQuery({
    queryKey: ['texts', 'credit-kinds', locale],
    queryFn: () => loadCreditKinds(locale),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  const list = useList(['credit', 'history'], (where, signal) =>
    client.GET('/v1/billing/credits', { params: { query: where }, signal }),
  )
  return (
    <Card title={billing.creditHistory} flush>
      <Listed list={list} empty={<p className="sub inset">{billing.noHistory}</p>}>
        {(rows) => (
          <Table
            caption={billing.creditHistory}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                head: billing.line,
                cell: ({ description, kind }) => (
                  <>
                    {kinds?.[kind]}
                    {description ? <span className="sub block">{description}</span> : null}
                  </>
                ),
              },
              {
                head: billing.date,
                small: 'sub',
                cell: ({ createdAt }) => <span className="num">{date(createdAt)}</span>,
              },
              {
                head: billing.amount,
                right: true,
                small: 'second',
                cell: ({ amountCents, currency }) => money(amountCents, currency),
              },
              {
                head: billing.balance,
                right: true,
                small: 'hide',
                cell: ({ balanceAfterCents, currency }) => money(balanceAfterCents, currency),
              },
            ]}
          />
        )}
      </Listed>
    </Card>
  )
}
