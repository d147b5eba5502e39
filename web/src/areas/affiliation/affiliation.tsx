import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { summary } from '../../api/reads.ts'
import { useTexts } from '../../texts/index.tsx'
import { type AffiliationTexts, usePart } from '../../texts/parts.ts'
import {
  Button,
  Card,
  Copy,
  Empty,
  Facts,
  I,
  Listed,
  Loaded,
  Meter,
  Notice,
  Page,
  refused,
  Table,
  Tag,
  told,
  useFormats,
} from '../../ui/index.ts'

const terms = read(['affiliation', 'terms'], (signal) =>
  client.GET('/v1/affiliation/terms', { signal }),
)

const own = read(['affiliation', 'own'], (signal) => client.GET('/v1/affiliation', { signal }))

/** The affiliate programme for a customer: their link, and what they earned with it. */
export function Affiliation() {
  const facts = useQuery(summary)
  return (
    <Loaded isScreen query={usePart('affiliation')}>
      {(texts) => (
        <Words value={texts}>
          <Page title={texts.title}>
            <Loaded query={facts}>
              {({ affiliate }) => (affiliate ? <Participation /> : <Invitation />)}
            </Loaded>
          </Page>
        </Words>
      )}
    </Loaded>
  )
}

const Words = createContext<AffiliationTexts | null>(null)

function useWords(): AffiliationTexts {
  const words = use(Words)
  if (!words) throw new Error('There are no words outside of the screen of affiliates.')
  return words
}

function Participation() {
  return <Loaded query={useQuery(own)}>{(found) => <Taking own={found} />}</Loaded>
}

function Invitation() {
  const affiliation = useWords()
  const { common } = useTexts()
  const join = useAction((_: null, intent) => client.POST('/v1/affiliation', intent), {
    changes: [['affiliation'], ['summary']],
    failed: (error) => refused(common.refused, error.message),
  })
  return (
    <Card>
      <Loaded query={useQuery(terms)}>
        {(found) =>
          found.enabled ? (
            <Empty
              icon={I.Gift}
              title={affiliation.joinTitle}
              action={
                <Button loading={join.isPending} onClick={() => join.mutate(null)}>
                  {affiliation.join}
                </Button>
              }
            >
              <Terms />
            </Empty>
          ) : (
            <Empty icon={I.Gift} title={affiliation.closed}>
              {affiliation.closedText}
            </Empty>
          )
        }
      </Loaded>
    </Card>
  )
}

function Terms() {
  const affiliation = useWords()
  const { rate } = useFormats()
  const found = useQuery(terms).data
  if (!found) return null
  const counted =
    found.payments === 'first'
      ? affiliation.first
      : found.recurringMonths > 0
        ? affiliation.months(found.recurringMonths)
        : affiliation.recurring
  return (
    <>
      {affiliation.offer(rate(found.commissionBasisPoints))} {counted}{' '}
      {affiliation.hold(found.holdDays)}
    </>
  )
}

type Own = components['schemas']['OwnAffiliation']

function Taking({ own: found }: { own: Own }) {
  const affiliation = useWords()
  const { common } = useTexts()
  const { money, number } = useFormats()
  const { link, status, clickCount, recentClickCount, referralCount, availableCents, currency } =
    found
  const minimumCents = useQuery(terms).data?.minimumCents ?? 0
  const amount = (cents: number) => money(cents, currency)
  const convert = useAction(
    (body: { currency: string }, intent) =>
      client.POST('/v1/affiliation/convert', { body, ...intent }),
    {
      changes: [['affiliation'], ['credit'], ['summary']],
      done: () => told(affiliation.convertedNow),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <div className="stack s24">
      {status === 'active' ? null : <Notice tone="attention" title={affiliation.suspended} />}
      <div className="grid split half">
        <Card title={affiliation.yourLink}>
          <div className="stack">
            <Copy big value={link} label={affiliation.yourLink} />
            <p className="sub">
              <Terms />
            </p>
          </div>
        </Card>
        <Card title={affiliation.available}>
          <div className="fig">{amount(availableCents)}</div>
          <Meter
            ratio={minimumCents > 0 ? Math.max(0, availableCents) / minimumCents : 1}
            label={affiliation.progress}
          />
          <p className="sub below">{affiliation.convertText(amount(minimumCents))}</p>
          <Button
            className="below"
            disabled={availableCents <= 0 || availableCents < minimumCents}
            loading={convert.isPending}
            onClick={() => convert.mutate({ currency })}
          >
            {affiliation.convert}
          </Button>
          <div className="below">
            <Facts
              rows={[
                [
                  affiliation.clicks,
                  affiliation.clicksText(number(clickCount), number(recentClickCount)),
                ],
                [affiliation.referrals, referralCount],
                [affiliation.pending, amount(found.pendingCents)],
                [affiliation.converted, amount(found.convertedCents)],
              ]}
            />
          </div>
        </Card>
      </div>
      <Commissions />
    </div>
  )
}

const TONES = { pending: 'waiting', available: 'active', reversed: 'ended' } as const

function Commissions() {
  const affiliation = useWords()
  const { money, date } = useFormats()
  const list = useList(['affiliation', 'commissions'], (where, signal) =>
    client.GET('/v1/affiliation/commissions', { params: { query: where }, signal }),
  )
  return (
    <Card title={affiliation.commissions} flush>
      <Listed list={list} empty={<p className="sub inset">{affiliation.noCommissions}</p>}>
        {(rows) => (
          <Table
            caption={affiliation.commissions}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              { head: affiliation.date, cell: ({ createdAt }) => date(createdAt) },
              {
                head: affiliation.statusHead,
                small: 'second',
                cell: ({ status }) => <Tag tone={TONES[status]}>{affiliation.status[status]}</Tag>,
              },
              {
                head: affiliation.usableFrom,
                small: 'sub',
                cell: ({ availableAt }) => <span className="dim">{date(availableAt)}</span>,
              },
              {
                head: affiliation.amount,
                right: true,
                small: 'second',
                cell: ({ amountCents, currency }) => money(amountCents, currency),
              },
            ]}
          />
        )}
      </Listed>
    </Card>
  )
}
