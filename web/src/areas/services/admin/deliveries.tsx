import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Loaded,
  Tag,
  type Tone,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'
import { type Delivery, deliveries as deliveriesRead } from './reads.ts'

const TONES: Readonly<Record<Delivery['state'], Tone>> = {
  waiting: 'waiting',
  sent: 'waiting',
  accepted: 'waiting',
  done: 'active',
  failed: 'failed',
  canceled: 'ended',
}

const PENDING: ReadonlySet<Delivery['state']> = new Set(['waiting', 'sent', 'accepted'])
const REFRESH_MS = 3000

/** The requests to the system that delivers a service, with each attempt. */
export function Deliveries({ serviceId }: { serviceId: string }) {
  const { servers } = useAdminTexts()
  const query = useQuery({
    ...deliveriesRead(serviceId),
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ state }) => PENDING.has(state)) ? REFRESH_MS : false,
  })
  return (
    <Card title={servers.deliveries}>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="dim">{servers.noDeliveries}</p>
          ) : (
            <ul className="methods">
              {data.map((it) => (
                <Row key={it.id} serviceId={serviceId} delivery={it} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

type RowProps = { readonly serviceId: string; readonly delivery: Delivery }

function Row({ serviceId, delivery: it }: RowProps) {
  const { servers, tasks, integrations } = useAdminTexts()
  const { moment } = useFormats()
  const mayWrite = useMay()('services:write')
  const isPending = PENDING.has(it.state)
  const again = useChange(
    (_: null, intent) =>
      client.POST('/v1/admin/deliveries/{id}/send', {
        params: { path: { id: it.id } },
        ...intent,
      }),
    {
      changes: [['admin', 'services', serviceId]],
      done: () => told(servers.sentAgain),
    },
  )
  const facts = [
    moment(it.createdAt),
    ...(it.reference ? [servers.reference(it.reference)] : []),
    ...(isPending && it.nextAt ? [servers.nextTry(moment(it.nextAt))] : []),
  ]
  return (
    <li>
      <div className="grow cut">
        <div className="row gap12 wrap">
          <span className="strong">{tasks.actions[it.action]}</span>
          <Tag tone={TONES[it.state]}>{servers.deliveryStates[it.state]}</Tag>
        </div>
        <span className="sub block">{facts.join(' · ')}</span>
        {it.failure ? <p className="any">{it.failure}</p> : null}
        {it.attempts.length > 0 ? (
          <details>
            <summary className="sub">{servers.attemptCount(it.attempts.length)}</summary>
            <div>
              {it.attempts.map(({ id, startedAt, statusCode, error, durationMs }) => (
                <span key={id} className="sub block">
                  {moment(startedAt)} · {integrations.answer(statusCode, durationMs)}
                  {error && !statusCode ? ` · ${error}` : ''}
                </span>
              ))}
            </div>
          </details>
        ) : null}
      </div>
      {isPending && mayWrite ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={again.isPending}
          onClick={() => again.mutate(null)}
        >
          {servers.sendAgain}
        </Button>
      ) : null}
    </li>
  )
}
