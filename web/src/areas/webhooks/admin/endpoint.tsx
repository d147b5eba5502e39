import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  ConfirmButton,
  Loaded,
  Notice,
  Page,
  refused,
  Tag,
  told,
  useChange,
} from '../../../ui/index.ts'
import { Deliveries } from './deliveries.tsx'
import { EndpointForm, SecretOnce } from './endpoint-form.tsx'
import { ENDPOINT_TONES, type Endpoint, endpoint as endpointRead, stateOf } from './reads.ts'

export function EndpointPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <Loaded isScreen query={useQuery(endpointRead(id))}>
      {(it) => <Shown endpoint={it} />}
    </Loaded>
  )
}

/** One endpoint: its events, a ping, and its deliveries. */
function Shown({ endpoint }: { endpoint: Endpoint }) {
  const { integrations: texts } = useAdminTexts()
  const mayWrite = useMay()('webhooks:write')
  const { disabledReason } = endpoint
  const state = stateOf(endpoint)
  return (
    <Page
      title={endpoint.url}
      head={
        <header className="page-head">
          <div className="grow">
            <div className="row gap12 wrap">
              <h1 className="any">{endpoint.url}</h1>
              <Tag tone={ENDPOINT_TONES[state]}>{texts.states[state]}</Tag>
            </div>
            {endpoint.description ? <div className="sub">{endpoint.description}</div> : null}
          </div>
          {mayWrite ? <Actions endpoint={endpoint} /> : null}
        </header>
      }
    >
      <div className="stack s24">
        {disabledReason && !endpoint.enabled ? (
          <Notice tone="attention" title={texts.states.off}>
            {texts.disabledReasons[disabledReason]}
          </Notice>
        ) : null}
        <Deliveries endpointId={endpoint.id} />
        {mayWrite ? (
          <Card title={texts.events}>
            <EndpointForm endpoint={endpoint} done={() => {}} />
          </Card>
        ) : null}
      </div>
    </Page>
  )
}

function Actions({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const { integrations: texts } = useAdminTexts()
  const navigate = useNavigate()
  const [secret, show] = useState<string | null>(null)
  const params = { path: { id } }
  const changes = [['webhooks']] as const
  const test = useChange(
    (_: null, intent) =>
      client.POST('/v1/admin/webhook-endpoints/{id}/test', { params, ...intent }),
    {
      changes,
      done: ({ ok, statusCode, durationMs, error }) =>
        ok
          ? told(texts.testOk(statusCode ?? 0, durationMs))
          : refused(texts.testFailed, error ?? texts.answer(statusCode, durationMs)),
    },
  )
  const replay = useChange(
    (_: null, intent) =>
      client.POST('/v1/admin/webhook-endpoints/{id}/replay', { params, body: {}, ...intent }),
    { changes, done: ({ replayed }) => told(texts.replayed(replayed)) },
  )
  return (
    <div className="actions">
      <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate(null)}>
        {texts.replayAll}
      </Button>
      <ConfirmButton
        variant="default"
        verb={texts.rotate}
        title={texts.rotateTitle}
        call={(_, intent) =>
          client.POST('/v1/admin/webhook-endpoints/{id}/rotate-secret', {
            ...{ params, body: {} },
            ...intent,
          })
        }
        changes={changes}
        done={(made) => show(made.secret)}
      >
        {texts.rotateText}
      </ConfirmButton>
      <ConfirmButton
        isDangerous
        variant="default"
        verb={texts.remove}
        title={texts.removeTitle(url)}
        call={() => client.DELETE('/v1/admin/webhook-endpoints/{id}', { params })}
        changes={changes}
        told={texts.removed}
        done={() => void navigate({ to: '/admin/integrations' })}
      >
        {texts.removeText}
      </ConfirmButton>
      <Button loading={test.isPending} onClick={() => test.mutate(null)}>
        {texts.test}
      </Button>
      <SecretOnce secret={secret} close={() => show(null)} />
    </div>
  )
}
