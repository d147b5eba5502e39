import type { ReactNode } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { type Texts, useTexts } from '../../texts/index.tsx'
import {
  Copy,
  Emblem,
  I,
  type Icon,
  IconAction,
  Link,
  Meter,
  refused,
  told,
  useFormats,
} from '../../ui/index.ts'
import { paidUntil } from './period.ts'
import type { Live, Service } from './reads.ts'
import { ServiceTag } from './status.tsx'

type CardProps = { readonly service: Service; readonly live: Live | undefined }

/** A server among others: whether it runs, where it is reached, when it renews. */
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
        <p className="sub">{reasonOf(service, home)}</p>
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

/** When it renews or ends; of one that stands still, until when its files are kept. */
function footOf(
  service: Service,
  { ends, renews, filesUntil }: Texts['home'],
  { day }: ReturnType<typeof useFormats>,
): string | null {
  const { status, cancelAtPeriodEnd, deleteServerAt } = service
  if (deleteServerAt) return filesUntil(day(deleteServerAt))
  const until = paidUntil(service)
  // The period of a suspended server is usually over: its end is no renewal to come.
  if (!until || status !== 'active') return null
  return cancelAtPeriodEnd || !service.autoRenew ? ends(day(until)) : renews(day(until))
}

type CardPowerProps = { readonly service: Service; readonly isDown: boolean }

/** Start, or restart and stop, from the list of servers. */
function CardPower({ service: { id, name }, isDown }: CardPowerProps) {
  const { services, common } = useTexts()
  const power = useAction(
    (action: 'start' | 'stop' | 'restart', intent) =>
      client.POST('/v1/services/{id}/power', {
        ...{ params: { path: { id } }, body: { action }, ...intent },
      }),
    {
      changes: [['services', 'status']],
      done: (_, action) => told(services.asked[action], name),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const button = (action: 'start' | 'stop' | 'restart', icon: Icon) => (
    <IconAction
      label={`${services[action]}: ${name}`}
      icon={icon}
      variant="subtle"
      loading={power.isPending && power.variables === action}
      onClick={() => power.mutate(action)}
    />
  )
  return (
    <span className="row above">
      {isDown ? (
        button('start', I.PlayerPlay)
      ) : (
        <>
          {button('restart', I.Refresh)}
          {button('stop', I.PlayerStop)}
        </>
      )}
    </span>
  )
}

type GaugeProps = {
  readonly label: string
  readonly value: ReactNode
  readonly of: string
  /** Of its limit, 0 to 1; null where there is none. */
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
  { status }: Service,
  texts: { suspended: string; settingUp: string; setUpFailed: string },
): string {
  if (status === 'suspended') return texts.suspended
  if (status === 'failed') return texts.setUpFailed
  return status === 'provisioning' || status === 'pending' ? texts.settingUp : ''
}
