import { useEffect } from 'react'
import { isViewing } from '../../api/session.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, Copy, Facts, LinkButton, Notice, told, useFormats } from '../../ui/index.ts'
import { LiveGraph } from '../../ui/live-graph.tsx'
import { IncidentBanner } from '../incidents/banner.tsx'
import { ActivityList } from './activity-list.tsx'
import { Connection } from './connection.tsx'
import { ServiceFrame } from './frame.tsx'
import { HandoverCard } from './handover.tsx'
import { KEPT_SAMPLES, type Sample, useSamples } from './live.ts'
import { paidUntil } from './period.ts'
import { PeriodPrice, useNextInvoice } from './price.tsx'
import type { Live, ServiceDetails } from './reads.ts'

/** The overview of a server: its state, its address, what it costs. */
export function ServiceOverview() {
  return (
    <ServiceFrame>
      {({ service, live }) => (
        <div className="grid split">
          <div className="stack">
            <IncidentBanner serviceId={service.id} />
            <State service={service} />
            {service.role === 'owner' && service.handover?.hasDetails ? (
              <HandoverCard id={service.id} />
            ) : null}
            {service.panel?.address && service.status === 'active' ? (
              <Join address={service.panel.address} />
            ) : null}
            {hasServer(service) && service.status === 'active' ? (
              <Graphs service={service} live={live} />
            ) : null}
            {hasServer(service) && service.role === 'owner' && service.activatedAt ? (
              <Recent id={service.id} />
            ) : null}
          </div>
          <div className="stack">
            {service.role === 'owner' ? <PlanCard service={service} /> : null}
            {hasServer(service) && service.status === 'active' && !isViewing() ? (
              <Connection service={service} />
            ) : null}
            <Details service={service} />
          </div>
        </div>
      )}
    </ServiceFrame>
  )
}

function hasServer({ delivery }: ServiceDetails): boolean {
  return delivery === 'server'
}

/** A problem or a running operation, and what to do about it. */
function State({ service }: { service: ServiceDetails }) {
  const { services } = useTexts()
  const { date, money } = useFormats()
  const { status, suspendReasons, openInvoiceId, dueCents, currency, deleteServerAt } = service
  const files = deleteServerAt ? services.deletedOn(date(deleteServerAt)) : null
  if (status === 'ended') {
    return (
      <Notice
        tone="ended"
        title={services.endedTitle}
        action={
          <Button component="a" href={`/p/${service.product.slug}`} size="xs" variant="default">
            {services.orderAgain}
          </Button>
        }
      >
        {files}
      </Notice>
    )
  }
  const byHand = service.delivery === 'manual' || service.delivery === 'webhook'
  if (byHand && service.handover && status === 'provisioning') {
    return (
      <Notice tone="waiting" title={services.preparing}>
        {service.handover.dueAt
          ? services.preparingText(date(service.handover.dueAt))
          : services.preparingSoon}
      </Notice>
    )
  }
  if (status === 'pending' && openInvoiceId && !service.startsAt) {
    return (
      <Notice
        tone="attention"
        title={services.waitsForPayment}
        action={
          <LinkButton to="/invoices/$id" params={{ id: openInvoiceId }} size="xs">
            {services.payNow}
          </LinkButton>
        }
      >
        {services.waitsForPaymentText(money(dueCents ?? 0, currency))}
      </Notice>
    )
  }
  if (status === 'pending' || status === 'provisioning') {
    const text = service.startsAt
      ? services.startsOn(date(service.startsAt))
      : status === 'pending'
        ? services.waitsForPayment
        : services.settingUpText
    return (
      <Notice tone="waiting" title={services.settingUp}>
        {text}
      </Notice>
    )
  }
  if (status === 'failed') {
    return (
      <Notice tone="attention" title={byHand ? services.deliveryLate : services.setUpLate}>
        {byHand ? services.deliveryLateText : services.setUpLateText}
      </Notice>
    )
  }
  if (status !== 'suspended') return null
  if (openInvoiceId) {
    return (
      <Notice
        tone="attention"
        title={services.suspendedUnpaid}
        action={
          <LinkButton to="/invoices/$id" params={{ id: openInvoiceId }} size="xs">
            {services.payNow}
          </LinkButton>
        }
      >
        {services.suspendedUnpaidText(money(dueCents ?? 0, currency))} {files}
      </Notice>
    )
  }
  return suspendReasons.includes('dispute') ? (
    <Notice tone="attention" title={services.suspendedDispute}>
      {services.suspendedDisputeText}
    </Notice>
  ) : (
    <Notice tone="attention" title={services.suspendedOther}>
      {services.suspendedOtherText}
    </Notice>
  )
}

/** The address that players paste; `c` copies it. */
function Join({ address }: { address: string }) {
  const { services, common } = useTexts()
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      const isTyping = (event.target as HTMLElement).closest('input, textarea, [role=dialog]')
      if (event.key !== 'c' || !isPlain || isTyping) return
      void navigator.clipboard.writeText(address)
      told(common.copied, address)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [address, common])
  return (
    <section className="card join">
      <div className="grow">
        <h2 className="h2">{services.join}</h2>
        <div className="sub">{services.joinHow}</div>
      </div>
      <Copy big value={address} label={services.address} />
    </section>
  )
}

type Graph = {
  readonly label: string
  readonly value: string
  /** The limit of the value; null without a limit. */
  readonly limit: string | null
  readonly values: readonly number[]
  readonly max: number
}

function Graphs({ service, live }: { service: ServiceDetails; live: Live | undefined }) {
  const { services } = useTexts()
  const formats = useFormats()
  const samples = useSamples(live)
  if (isViewing()) return null
  const isAway = live !== undefined && !live.available
  if (isAway && samples.length === 0) return <p className="sub">{services.unavailable}</p>
  // Before the first response, the graphs are empty, so that nothing below them moves when it arrives.
  const now = samples.at(-1)
  const known = (say: (now: Sample) => string) => (now ? say(now) : '…')
  const { memoryMb = 0, diskMb = 0, cpuPercent = 0 } = service.limits ?? {}
  const rates = samples.slice(1).map((it, index) => {
    const before = samples[index] ?? it
    const seconds = (Date.parse(it.observedAt) - Date.parse(before.observedAt)) / 1000
    return Math.max(0, it.networkInBytes - before.networkInBytes) / Math.max(1, seconds)
  })
  const graphs: readonly Graph[] = [
    {
      label: services.cpu,
      value: known(({ cpuPercent: it }) => formats.percent(it / 100)),
      limit: cpuPercent > 0 ? formats.percent(cpuPercent / 100) : null,
      values: samples.map((it) => it.cpuPercent),
      max: cpuPercent || 100,
    },
    {
      label: services.memory,
      value: known(({ memoryBytes }) => formats.bytes(memoryBytes)),
      limit: memoryMb > 0 ? formats.megabytes(memoryMb) : null,
      values: samples.map((it) => it.memoryBytes),
      max: memoryMb * 2 ** 20,
    },
    {
      label: services.disk,
      value: known(({ diskBytes }) => formats.bytes(diskBytes)),
      limit: diskMb > 0 ? formats.megabytes(diskMb) : null,
      values: samples.map((it) => it.diskBytes),
      max: diskMb * 2 ** 20,
    },
    {
      label: services.network,
      value: known(() => `${formats.number((rates.at(-1) ?? 0) / 1024)} kB/s`),
      limit: null,
      values: rates,
      max: 1024,
    },
  ]
  return (
    <>
      {isAway && now ? (
        <p className="sub" role="status">
          {services.unavailable} {services.figuresAsOf(formats.time(now.observedAt))}
        </p>
      ) : null}
      <div className="grid cols-2 keep graphs">
        {graphs.map(({ label, value, limit, values, max }) => {
          const of = limit ? services.of(limit) : ''
          return (
            <section key={label} className="card graph-card">
              <div className="top">
                <h2>{label}</h2>
                <span>
                  <span className="v">{value}</span> <span className="sub">{of}</span>
                </span>
              </div>
              <LiveGraph
                values={values}
                max={max}
                span={KEPT_SAMPLES}
                label={`${label}: ${value} ${of}`}
              />
              <div className="graph-ends">
                <span>{services.twoMinutesAgo}</span>
                <span>{services.now}</span>
              </div>
            </section>
          )
        })}
      </div>
    </>
  )
}

function Recent({ id }: { id: string }) {
  const { services } = useTexts()
  return (
    <Card
      title={services.recent}
      right={
        <LinkButton to="/servers/$id/activity" params={{ id }} size="compact-sm" variant="subtle">
          {services.allActivity}
        </LinkButton>
      }
    >
      <ActivityList id={id} limit={3} />
    </Card>
  )
}

function PlanCard({ service }: { service: ServiceDetails }) {
  const { services } = useTexts()
  const { date } = useFormats()
  const { product, cancelAtPeriodEnd, autoRenew, freeUntil } = service
  const nextInvoice = useNextInvoice(service)
  const until = paidUntil(service)
  const ends = cancelAtPeriodEnd || !autoRenew ? services.endsOn : services.renewsOn
  return (
    <Card title={services.planCard}>
      <PeriodPrice service={service} />
      <Facts
        rows={[
          [services.product, product.name],
          ...(until ? [[ends, date(until)] as const] : []),
          ...(freeUntil ? [[services.freeDays, services.freeUntil(date(freeUntil))] as const] : []),
          ...nextInvoice,
        ]}
      />
      {service.status === 'active' ? (
        <LinkButton
          to="/servers/$id/plan"
          params={{ id: service.id }}
          variant="default"
          fullWidth
          className="below"
        >
          {services.changeSize}
        </LinkButton>
      ) : null}
    </Card>
  )
}

function Details({ service }: { service: ServiceDetails }) {
  const { services } = useTexts()
  const { date } = useFormats()
  const { panel, game, location, components, createdAt, role } = service
  const options = components.filter(({ kind }) => kind === 'option')
  return (
    <Card title={services.details}>
      <Facts
        rows={[
          ...(role === 'member' ? [[services.member, services.sharedWith] as const] : []),
          ...(game ? [[services.game, game] as const] : []),
          ...(location ? [[services.location, location.name] as const] : []),
          ...options.map(({ key, name, label }) => [name ?? key, label] as const),
          ...(panel
            ? [
                [
                  services.id,
                  <Copy key="id" value={panel.identifier} label={services.id} />,
                ] as const,
              ]
            : []),
          [services.since, date(createdAt)],
        ]}
      />
    </Card>
  )
}
