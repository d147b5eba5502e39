import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Avatar,
  Button,
  Card,
  Copy,
  Facts,
  I,
  IconAction,
  Link,
  Listed,
  Loaded,
  MoreMenu,
  Notice,
  Page,
  Table,
  Tag,
  useFormats,
  useOnceOpened,
} from '../../../ui/index.ts'
import { useCommissionColumns } from './commissions.tsx'
import { AFFILIATE_TONES, type Affiliate, affiliate } from './reads.ts'
import { CorrectReferral } from './referral.tsx'

// Most visits of an affiliate change nothing.
const actions = () => import('./actions.tsx')
const BookPayout = lazy(async () => ({ default: (await actions()).BookPayout }))
const SuspendAffiliate = lazy(async () => ({ default: (await actions()).SuspendAffiliate }))

type Imported = components['schemas']['ImportedCommission']

/** One affiliate: totals, payouts, commissions and referred customers. */
export function AffiliatePage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <div className="service">
      <Loaded isScreen query={useQuery(affiliate(id))}>
        {(found) => <Found affiliate={found} />}
      </Loaded>
    </div>
  )
}

function Found({ affiliate: it }: { affiliate: Affiliate }) {
  const { affiliates } = useAdminTexts()
  const { suspendedAt, suspendedReason } = it
  return (
    <Page wide title={it.name} head={<Head affiliate={it} />}>
      <div className="stack">
        {suspendedAt ? (
          <Notice
            tone="attention"
            title={
              suspendedReason ? affiliates.suspendedFor(suspendedReason) : affiliates.isSuspended
            }
          />
        ) : null}
        <div className="grid split">
          <div className="stack">
            <Commissions id={it.id} />
            <Payouts id={it.id} />
          </div>
          <div className="stack">
            <Results affiliate={it} />
            <Totals affiliate={it} />
            <Referrals id={it.id} />
            <ImportedCommissions id={it.id} />
          </div>
        </div>
      </div>
    </Page>
  )
}

function Head({ affiliate: it }: { affiliate: Affiliate }) {
  const { affiliates } = useAdminTexts()
  const { date } = useFormats()
  const may = useMay()
  const [dialog, open] = useState<'payout' | 'suspend' | null>(null)
  const wasOpened = useOnceOpened(dialog !== null)
  const of = (which: typeof dialog) => ({
    ...{ affiliate: it, opened: dialog === which, close: () => open(null) },
  })
  const mayWrite = may('affiliation:write')
  const isSuspended = it.status === 'suspended'
  return (
    <header className="page-head middle">
      <Avatar name={it.name} size={52} />
      <div className="grow least">
        <div className="row gap12 wrap">
          <h1>{it.name}</h1>
          <Tag tone={AFFILIATE_TONES[it.status]}>{affiliates.status[it.status]}</Tag>
        </div>
        <div className="row wrap dim">
          <Copy value={it.code} label={affiliates.code} />
          <span>{affiliates.since(date(it.createdAt))}</span>
          {may('users:read') ? (
            <Link to="/admin/people/$id" params={{ id: it.userId }}>
              {affiliates.customer}
            </Link>
          ) : null}
        </div>
      </div>
      <div className="actions">
        {mayWrite && it.totals.some(({ availableCents }) => availableCents > 0) ? (
          <Button
            leftSection={<I.BuildingBank size={16} aria-hidden />}
            onClick={() => open('payout')}
          >
            {affiliates.payout}
          </Button>
        ) : null}
        <MoreMenu
          items={
            mayWrite && it.status !== 'closed'
              ? [
                  isSuspended
                    ? ['suspend', affiliates.unsuspend, I.UserPlus]
                    : ['suspend', affiliates.suspend, I.UserOff],
                ]
              : []
          }
          choose={() => open('suspend')}
        />
      </div>
      {wasOpened ? (
        <Suspense>
          {dialog === 'payout' ? <BookPayout {...of('payout')} /> : null}
          <SuspendAffiliate key={it.status} {...of('suspend')} />
        </Suspense>
      ) : null}
    </header>
  )
}

/** What the links of the affiliate led to. */
function Results({ affiliate: it }: { affiliate: Affiliate }) {
  const { affiliates } = useAdminTexts()
  const { number } = useFormats()
  return (
    <Card title={affiliates.results}>
      <Facts
        rows={[
          [affiliates.clicks, number(it.clickCount)],
          [affiliates.recentClicks, number(it.recentClickCount)],
          [affiliates.referrals, number(it.referralCount)],
          [affiliates.orders, number(it.orderCount)],
        ]}
      />
    </Card>
  )
}

function Totals({ affiliate: { totals } }: { affiliate: Affiliate }) {
  const { affiliates } = useAdminTexts()
  const { money } = useFormats()
  if (totals.length === 0) {
    return (
      <Card title={affiliates.account}>
        <p className="dim">{affiliates.noTotals}</p>
      </Card>
    )
  }
  return totals.map(({ currency, pendingCents, availableCents, convertedCents, reversedCents }) => (
    <Card key={currency} title={affiliates.totals(currency)}>
      <Facts
        rows={[
          [affiliates.available, <strong key="sum">{money(availableCents, currency)}</strong>],
          [affiliates.pending, money(pendingCents, currency)],
          [affiliates.converted, money(convertedCents, currency)],
          [affiliates.reversed, money(reversedCents, currency)],
        ]}
      />
    </Card>
  ))
}

function Commissions({ id }: { id: string }) {
  const { affiliates } = useAdminTexts()
  const columns = useCommissionColumns(true)
  const list = useList(['admin', 'commissions', 'of', id], (where, signal) =>
    client.GET('/v1/admin/commissions', {
      params: { query: { ...where, affiliateId: id } },
      signal,
    }),
  )
  return (
    <Card flush title={affiliates.commissions}>
      <Listed list={list} empty={<p className="dim inset">{affiliates.noCommissionsText}</p>}>
        {(rows) => (
          <Table
            links
            caption={affiliates.commissions}
            {...{ rows, columns }}
            rowKey={({ id: key }) => key}
          />
        )}
      </Listed>
    </Card>
  )
}

function Payouts({ id }: { id: string }) {
  const { affiliates } = useAdminTexts()
  const { money, date } = useFormats()
  const list = useList(['admin', 'affiliates', id, 'payouts'], (where, signal) =>
    client.GET('/v1/admin/affiliates/{id}/payouts', {
      params: { path: { id }, query: where },
      signal,
    }),
  )
  return (
    <Card flush title={affiliates.payouts}>
      <Listed list={list} empty={<p className="dim inset">{affiliates.noPayouts}</p>}>
        {(rows) => (
          <Table
            caption={affiliates.payouts}
            rows={rows}
            rowKey={({ id: key }) => key}
            columns={[
              { head: affiliates.paidOn, cell: ({ paidOn }) => date(paidOn) },
              {
                ...{ head: affiliates.reference, small: 'sub' },
                cell: ({ reference }) => <span className="mono">{reference}</span>,
              },
              { head: affiliates.method, small: 'hide', cell: ({ method }) => method },
              {
                ...{ head: affiliates.amount, right: true, small: 'second' },
                cell: ({ amountCents, currency }) => money(amountCents, currency),
              },
            ]}
          />
        )}
      </Listed>
    </Card>
  )
}

function Referrals({ id }: { id: string }) {
  const { affiliates } = useAdminTexts()
  const { date } = useFormats()
  const may = useMay()
  const [opened, open] = useState<{ id: string; name: string } | null>(null)
  const list = useList(['admin', 'referrals', id], (where, signal) =>
    client.GET('/v1/admin/referrals', {
      params: { query: { ...where, limit: 10, affiliateId: id } },
      signal,
    }),
  )
  return (
    <Card title={affiliates.referrals}>
      <Listed list={list} empty={<p className="dim">{affiliates.noReferrals}</p>}>
        {(rows) => (
          <ul className="stack s12">
            {rows.map(({ id: key, userId, name, source, refusal, sharedOrigin, createdAt }) => (
              <li key={key} className="row between top">
                <span>
                  {may('users:read') ? (
                    <Link to="/admin/people/$id" params={{ id: userId }}>
                      {name}
                    </Link>
                  ) : (
                    name
                  )}
                  <span className="sub block">
                    {[
                      date(createdAt),
                      affiliates.source[source],
                      ...(refusal ? [affiliates.refusal[refusal]] : []),
                      ...(sharedOrigin ? [affiliates.sharedOrigin] : []),
                    ].join(' · ')}
                  </span>
                </span>
                {may('affiliation:write') ? (
                  <IconAction
                    icon={I.Edit}
                    label={affiliates.correctOf(name)}
                    onClick={() => open({ id: userId, name })}
                  />
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {opened ? (
        <CorrectReferral key={opened.id} customer={opened} opened close={() => open(null)} />
      ) : null}
    </Card>
  )
}

/** What was earned in the system that the affiliate came from; renders nothing for other affiliates. */
function ImportedCommissions({ id }: { id: string }) {
  const { affiliates } = useAdminTexts()
  const { money, date } = useFormats()
  const list = useList<Imported>(['admin', 'affiliates', id, 'imported'], (where, signal) =>
    client.GET('/v1/admin/affiliates/{id}/imported-commissions', {
      params: { path: { id }, query: { ...where, limit: 10 } },
      signal,
    }),
  )
  if (list.rows?.length === 0) return null
  return (
    <Card title={affiliates.imported}>
      <Listed list={list} empty={null}>
        {(rows) => (
          <ul className="stack s12">
            {rows.map(({ id: key, kind, amountCents, currency, description, happenedAt }) => (
              <li key={key} className="row between top">
                <span>
                  {affiliates.importedKind[kind]}
                  <span className="sub block">
                    {[...(happenedAt ? [date(happenedAt)] : []), description]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <span className="num">{money(amountCents, currency)}</span>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}
