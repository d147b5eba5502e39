import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { me, openInvoices, services, summary } from '../../api/reads.ts'
import { isViewing } from '../../api/session.ts'
import { useLocale, useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Empty,
  I,
  Link,
  LinkButton,
  Loaded,
  Notice,
  Page,
  useFormats,
} from '../../ui/index.ts'
import { IncidentBanner } from '../incidents/banner.tsx'
import { NotificationList } from '../notifications/index.ts'
import { ServiceCard } from '../services/index.ts'
import { paidUntil } from '../services/period.ts'
import { Amount } from '../services/price.tsx'
import { liveStatuses, type Service } from '../services/reads.ts'

const OtherLanguage = lazy(async () => ({
  default: (await import('./other-language.tsx')).OtherLanguage,
}))
const Pay = lazy(async () => ({ default: (await import('../billing/pay.tsx')).Pay }))

/** The most entries shown here; all of them are on a page of their own. */
const SHOWN = 6

/** The start page: the state of the servers, and what is due. */
export function Home() {
  const { home, navigation } = useTexts()
  const { full } = useFormats()
  const person = useQuery(me).data
  const list = useQuery(services)
  return (
    <Page
      title={person ? home.hello(firstName(person.name)) : home.title}
      sub={full(new Date())}
      actions={
        <Button
          component="a"
          href="/"
          variant="default"
          leftSection={<I.Plus size={16} aria-hidden />}
        >
          {navigation.newServer}
        </Button>
      }
    >
      <div className="stack s24">
        <IncidentBanner />
        <Due />
        <Languages />
        <Loaded query={list}>{({ data }) => <Servers services={data} />}</Loaded>
        <div className="grid split half">
          <Upcoming services={list.data?.data ?? []} />
          <Card title={home.news} right={<Link to="/notifications">{home.allNews}</Link>}>
            <NotificationList limit={5} />
          </Card>
        </div>
      </div>
    </Page>
  )
}

/** The open invoices, overdue ones first. */
function Due() {
  const { home, billing } = useTexts()
  const { money } = useFormats()
  const found = useQuery(summary).data
  const isOverdue = found !== undefined && found.overdue > 0
  const open = useQuery({ ...openInvoices, enabled: isOverdue && !isViewing() }).data?.data ?? []
  const [isPaying, pay] = useState<boolean | null>(null)
  const late = open.filter(({ overdue }) => overdue).map(({ id }) => id)
  if (!found || found.openInvoices === 0) return null
  const amounts = found.due.map(({ dueCents, currency }) => money(dueCents, currency))
  return (
    <Notice
      tone={isOverdue ? 'attention' : 'waiting'}
      title={home.dueTitle(found.openInvoices)}
      action={
        <span className="row wrap">
          <LinkButton
            to="/invoices"
            search={{ status: 'open' }}
            size="xs"
            {...(late.length > 0 && { variant: 'default' })}
          >
            {home.seeInvoices}
          </LinkButton>
          {late.length > 0 ? (
            <Button size="xs" onClick={() => pay(true)}>
              {billing.pay}
            </Button>
          ) : null}
        </span>
      }
    >
      {home.due(amounts.join(' + '))}
      {isPaying === null ? null : (
        <Suspense>
          <Pay invoiceIds={late} amount={null} opened={isPaying} close={() => pay(false)} />
        </Suspense>
      )}
    </Notice>
  )
}

/** The notice shown if the language of the screen is not that of the account. */
function Languages() {
  const locale = useLocale()
  const person = useQuery(me).data
  if (!person || person.locale === locale || isViewing()) return null
  return (
    <Suspense>
      <OtherLanguage own={person.locale} />
    </Suspense>
  )
}

function Servers({ services }: { services: readonly Service[] }) {
  const { home, navigation } = useTexts()
  const living = services.filter(({ status }) => status !== 'ended')
  const shown = living.slice(0, SHOWN)
  const active = shown.filter(({ status }) => status === 'active').map(({ id }) => id)
  const live = useQuery({
    ...liveStatuses(active),
    enabled: active.length > 0 && !isViewing(),
    refetchInterval: 10_000,
  }).data?.data
  if (living.length === 0) {
    return (
      <Card>
        <Empty
          icon={I.Server2}
          title={home.none}
          action={
            <Button component="a" href="/">
              {home.chooseGame}
            </Button>
          }
        >
          {home.noneText}
        </Empty>
      </Card>
    )
  }
  return (
    <section className="stack s12">
      <h2 className="h2">{navigation.servers}</h2>
      <div className="grid cols-3">
        {shown.map((service) => (
          <ServiceCard
            key={service.id}
            service={service}
            live={live?.find(({ id }) => id === service.id)?.live}
          />
        ))}
      </div>
      {living.length > SHOWN ? <Link to="/servers">{navigation.allServers}</Link> : null}
    </section>
  )
}

function Upcoming({ services }: { services: readonly Service[] }) {
  const { home } = useTexts()
  const { money, day } = useFormats()
  const balances = useQuery(summary).data?.credit ?? []
  const next = services
    .filter((it) => it.role === 'owner' && it.status === 'active' && it.autoRenew)
    .flatMap((it) => {
      const until = it.cancelAtPeriodEnd ? null : paidUntil(it)
      return until ? [{ ...it, until }] : []
    })
    .sort((one, other) => one.until.localeCompare(other.until))
    .slice(0, 4)
  return (
    <Card title={home.upcoming} right={<Link to="/invoices">{home.allInvoices}</Link>} flush>
      {next.length === 0 ? <p className="sub inset">{home.nothingUpcoming}</p> : null}
      <ul>
        {next.map(({ id, name, until, plan, prices }) => (
          <li key={id} className="attn two">
            <span>
              <Link to="/servers/$id" params={{ id }}>
                {name}
              </Link>
              <span className="sub block">{home.renews(day(until))}</span>
            </span>
            {prices ? (
              <Amount
                price={prices}
                cents={prices.nextTotalCents ?? prices.totalCents}
                currency={plan.currency}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {balances.map(({ balanceCents, currency }) => (
        <div key={currency} className="pager foot">
          <span>{home.credit}</span>
          <span className="row gap12">
            <span className="num strong">{money(balanceCents, currency)}</span>
            <Link to="/payment">{home.addCredit}</Link>
          </span>
        </div>
      ))}
    </Card>
  )
}

function firstName(name: string): string {
  return name.split(/\s+/)[0] ?? name
}
