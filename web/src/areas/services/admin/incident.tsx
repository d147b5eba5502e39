import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { nodes } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActButton,
  Card,
  Checkbox,
  Copy,
  I,
  Select,
  TextInput,
  Timeline,
  useFormats,
} from '../../../ui/index.ts'
import { type AdminService, attempts, stuckOf } from './reads.ts'

const RoomLines = lazy(async () => ({
  default: (await import('../../panel/admin/room.tsx')).RoomLines,
}))

type ServiceProps = { readonly service: AdminService }

/** The problem of a service in plain words, then the possible actions. */
export function Incident({ service }: ServiceProps) {
  const { servers } = useAdminTexts()
  const { moment } = useFormats()
  const stuck = stuckOf(service)
  const error = stuck?.lastError
  const code = error?.code ?? service.failure?.code
  const cause = Object.entries(servers.causes).find(([name]) => name === code)
  const next = stuck?.nextAt
  // The API counts an attempt once another is to follow: the last one is not in its number.
  const failures = (stuck?.attempt ?? 0) + (next ? 0 : 1)
  return (
    <>
      <section className="notice big t-failed block" aria-label={servers.trouble}>
        <div className="row gap12 top-aligned">
          <I.AlertCircle className="icon" size={22} stroke={1.9} aria-hidden />
          <div className="grow">
            <h2 className="incident-title">
              {cause?.[1] ?? service.renewalFailure ?? servers.unknownCause}
            </h2>
            <p className="incident-text">
              {stuck ? `${servers.attempt(failures)}. ` : null}
              {next ? servers.nextAt(moment(next)) : servers.noNext} {servers.safe}
            </p>
          </div>
        </div>
        <Actions service={service} />
      </section>
      {error ? (
        <Card title={servers.said} right={<Copy value={error.code} label={servers.code} />}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is too long scrolls, also by keys. */}
          <section className="code" tabIndex={0} aria-label={servers.said}>
            <code>{error.detail}</code>
          </section>
          <p className="sub below">{servers.lastAt(moment(error.at))}</p>
        </Card>
      ) : null}
      <Attempts service={service} />
    </>
  )
}

/** The failed attempts to set the service up, newest first; nothing while there is none. */
function Attempts({ service: { id, provisioning } }: ServiceProps) {
  const { servers } = useAdminTexts()
  const { moment } = useFormats()
  // Another attempt has failed: the history is loaded again.
  const last = provisioning?.lastError?.at
  const { queryKey, ...read } = attempts(id)
  const failed = useQuery({ ...read, queryKey: [...queryKey, last] }).data?.data ?? []
  if (failed.length === 0) return null
  return (
    <Card title={servers.history}>
      <Timeline
        entries={failed.map(({ attempt, code, detail, failedAt }) => ({
          ...{ key: String(attempt), icon: I.AlertTriangle, tone: 'failed' },
          when: moment(failedAt),
          what: (
            <>
              <span className="strong">{servers.attemptNumber(attempt)}</span> · {code}
              <span className="sub block any">{detail}</span>
            </>
          ),
        }))}
      />
    </Card>
  )
}

function Actions({ service }: ServiceProps) {
  const may = useMay()
  if (!may('services:write')) return null
  const neverRan = service.activatedAt === null
  return (
    <div className="row wrap incident-actions">
      {neverRan && service.delivery === 'server' ? <PlaceElsewhere service={service} /> : null}
      <Retry service={service} />
      {neverRan ? <Refund service={service} /> : null}
    </div>
  )
}

const CHANGES = [
  ['admin', 'services'],
  ['admin', 'attention'],
]

function Retry({ service: { id, name } }: ServiceProps) {
  const { servers } = useAdminTexts()
  return (
    <ActButton
      label={servers.retryVerb}
      icon={I.RotateClockwise}
      title={servers.retryTitle(name)}
      consequence={servers.retryText}
      verb={servers.retry}
      initial={{}}
      call={(_, intent) =>
        client.POST('/v1/admin/services/{id}/retry', { params: { path: { id } }, ...intent })
      }
      changes={CHANGES}
      told={servers.retried}
    />
  )
}

function PlaceElsewhere({ service: { id, name } }: ServiceProps) {
  const { servers } = useAdminTexts()
  const may = useMay()
  const known = useQuery({ ...nodes, enabled: may('nodes:read') }).data?.data ?? []
  return (
    <ActButton
      variant="filled"
      label={servers.place}
      icon={I.MapPin}
      title={servers.placeTitle(name)}
      consequence={servers.placeText}
      verb={servers.place}
      initial={{ nodeId: '', isGone: false }}
      call={({ nodeId, isGone }, intent) =>
        client.POST('/v1/admin/services/{id}/replace', {
          params: { path: { id } },
          body: { ...(nodeId && { nodeId }), ...(isGone && { abandonServer: true }) },
          ...intent,
        })
      }
      changes={CHANGES}
      told={servers.placed}
    >
      {({ fields, set, flag }) => (
        <>
          <Select
            label={servers.placePanel}
            value={fields.nodeId}
            data={[
              { value: '', label: servers.placeAny },
              ...known.map((it) => ({ value: it.id, label: it.name })),
            ]}
            onChange={(value) => set({ nodeId: value ?? '' })}
          />
          {fields.nodeId ? (
            <Suspense>
              <RoomLines nodeId={fields.nodeId} />
            </Suspense>
          ) : null}
          <Checkbox
            {...flag('isGone')}
            label={servers.placeAbandon}
            description={servers.placeAbandonText}
          />
        </>
      )}
    </ActButton>
  )
}

function Refund({ service: { id, name } }: ServiceProps) {
  const { servers } = useAdminTexts()
  return (
    <ActButton
      isDangerous
      variant="subtle"
      label={servers.refundVerb}
      title={servers.refundTitle(name)}
      consequence={servers.refundText}
      verb={servers.refundVerb}
      initial={{ to: 'payment' as 'payment' | 'credit', reason: '' }}
      call={({ to, reason }, intent) =>
        client.POST('/v1/admin/services/{id}/refund', {
          params: { path: { id } },
          body: { to, ...(reason.trim() && { reason: reason.trim() }) },
          ...intent,
        })
      }
      changes={[...CHANGES, ['admin', 'invoices']]}
      told={servers.refunded}
    >
      {({ choice, text }) => (
        <>
          <Select
            {...choice('to')}
            label={servers.refundTo}
            data={[
              { value: 'payment', label: servers.refundPayment },
              { value: 'credit', label: servers.refundCredit },
            ]}
          />
          <TextInput {...text('reason')} label={servers.refundReason} />
        </>
      )}
    </ActButton>
  )
}
