import type { ReactNode } from 'react'
import { type Texts, useTexts } from '../../texts/index.tsx'
import { Copy, Emblem, Link, LinkButton, Meter, useFormats } from '../../ui/index.ts'
import { CardPower } from './card-power.tsx'
import { paidUntil } from './period.ts'
import type { Live, Service } from './reads.ts'
import { ServiceTag } from './status.tsx'

/** Loaded after the card, so that the first screen stays within its size limit. */

type CardProps = { readonly service: Service; readonly live: Live | undefined }

/** A server in a list: its state, its address, and when it renews. */
export function ServiceCard({ service, live }: CardProps) {
  const { home, services } = useTexts()
  const { id, name, status, product, panel } = service
  const formats = useFormats()
  const foot = footOf(service, home, formats)
  const { memoryMb = 0, cpuPercent = 0 } = service.limits ?? {}
  const power = live?.available ? live.state : null
  return (
    <article className="server">
      <div className="row gap12">
        <Emblem name={product.name} />
        <div className="grow">
          <h3 className="cut">
            <Link to="/servers/$id" params={{ id }} className="title">
              {name}
            </Link>
          </h3>
          <div className="sub cut">{product.name}</div>
        </div>
        <ServiceTag status={status} power={power} />
      </div>
      {panel?.address ? (
        <div className="above addr">
          <Copy value={panel.address} label={services.address} />
        </div>
      ) : null}
      {live?.available && live.state === 'running' ? (
        <div className="grid cols-2 keep">
          <Gauge
            label={services.cpu}
            value={formats.percent(live.cpuPercent / 100)}
            of={name}
            ratio={cpuPercent > 0 ? live.cpuPercent / cpuPercent : null}
          />
          <Gauge
            label={services.memory}
            value={formats.bytes(live.memoryBytes)}
            of={name}
            ratio={memoryMb > 0 ? live.memoryBytes / 2 ** 20 / memoryMb : null}
          />
        </div>
      ) : (
        <div className="row gap12">
          <p className="sub grow">{reasonOf(service, home)}</p>
          {status === 'pending' && service.openInvoiceId ? (
            <span className="above">
              <LinkButton
                to="/invoices/$id"
                params={{ id: service.openInvoiceId }}
                size="xs"
                aria-label={`${services.payNow}, ${name}`}
              >
                {services.payNow}
              </LinkButton>
            </span>
          ) : null}
        </div>
      )}
      {foot || power ? (
        <div className="server-foot sub row between">
          <span>{foot}</span>
          {power && service.permissions.includes('power') ? (
            <CardPower service={service} isDown={power === 'offline'} />
          ) : null}
        </div>
      ) : null}
    </article>
  )
}

/** When the server renews or ends; if its files are to be deleted, until when they are kept. */
function footOf(
  service: Service,
  { ends, renews, filesUntil }: Texts['home'],
  { day }: ReturnType<typeof useFormats>,
): string | null {
  const { status, cancelAtPeriodEnd, deleteServerAt } = service
  if (deleteServerAt) return filesUntil(day(deleteServerAt))
  const until = paidUntil(service)
  // The period of a suspended server is usually over: so its end is not a coming renewal.
  if (!until || status !== 'active') return null
  return cancelAtPeriodEnd || !service.autoRenew ? ends(day(until)) : renews(day(until))
}

type GaugeProps = {
  readonly label: string
  readonly value: ReactNode
  readonly of: string
  /** The used part of the limit, 0 to 1; null if there is none. */
  readonly ratio: number | null
}

function Gauge({ label, value, of, ratio }: GaugeProps) {
  return (
    <div className="gauge">
      <div className="sub">
        <span>{label}</span>
        <span>{value}</span>
      </div>
      {ratio === null ? null : <Meter ratio={ratio} label={`${label}, ${of}`} />}
    </div>
  )
}

function reasonOf(
  { status, openInvoiceId }: Service,
  texts: { suspended: string; settingUp: string; setUpFailed: string; waitsForPayment: string },
): string {
  if (status === 'suspended') return texts.suspended
  if (status === 'failed') return texts.setUpFailed
  if (status === 'pending' && openInvoiceId) return texts.waitsForPayment
  return status === 'provisioning' || status === 'pending' ? texts.settingUp : ''
}
