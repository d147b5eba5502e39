import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActDialog,
  Button,
  Card,
  ConfirmButton,
  Copy,
  Empty,
  I,
  Listed,
  Once,
  Switch,
  Textarea,
  TextInput,
  useFormats,
} from '../../../ui/index.ts'
import type { Client } from './client-dialog.tsx'

const ClientDialog = lazy(async () => ({
  default: (await import('./client-dialog.tsx')).ClientDialog,
}))
const SECONDS_PER_HOUR = 3600

/** Applications that people sign in to with their account here. */
export function ClientsCard() {
  const { integrations: texts } = useAdminTexts()
  const mayWrite = useMay()('oauth:write')
  const [isAdding, add] = useState(false)
  const [made, show] = useState<Client | null>(null)
  const [editing, edit] = useState<Client | null>(null)
  const list = useList(['oauth-clients'], (where, signal) =>
    client.GET('/v1/admin/oauth-clients', { params: { query: where }, signal }),
  )
  return (
    <Card
      title={texts.clients}
      right={
        mayWrite ? (
          <Button size="compact-sm" variant="default" onClick={() => add(true)}>
            {texts.addClient}
          </Button>
        ) : null
      }
    >
      <p className="sub">{texts.clientsText}</p>
      <Listed list={list} empty={<Empty icon={I.Login} title={texts.noClients} />}>
        {(rows) => (
          <ul className="methods">
            {rows.map((row) => (
              <ClientRow
                key={row.id}
                client={row}
                edit={mayWrite ? () => edit(row) : null}
                rotated={show}
              />
            ))}
          </ul>
        )}
      </Listed>
      {editing ? (
        <Suspense>
          <ClientDialog client={editing} close={() => edit(null)} />
        </Suspense>
      ) : null}
      {isAdding ? <NewClient close={() => add(false)} show={show} /> : null}
      <Once title={texts.clientMade} opened={made !== null} close={() => show(null)}>
        <p className="dim">{texts.secretOnce}</p>
        <Copy big value={made?.clientId ?? ''} label={texts.clientId} />
        {made?.clientSecret ? (
          <Copy big value={made.clientSecret} label={texts.clientSecret} />
        ) : null}
      </Once>
    </Card>
  )
}

type RowProps = {
  readonly client: Client
  /** Opens its settings; null for staff who may only read. */
  readonly edit: (() => void) | null
  /** Shows the new secret. */
  readonly rotated: (client: Client) => void
}

function ClientRow({ client: { id, name, clientId, ...it }, edit, rotated }: RowProps) {
  const { integrations: texts } = useAdminTexts()
  const { moment, number } = useFormats()
  const { secretOverlapSeconds: overlap, previousSecretEndsAt: endsAt } = it
  const params = { path: { id } }
  const look = { size: 'compact-sm', variant: 'default', changes: [['oauth-clients']] } as const
  return (
    <li>
      <span className="grow">
        {edit ? (
          <button type="button" className="plain-link strong" onClick={edit}>
            {name}
          </button>
        ) : (
          name
        )}
        <span className="sub block mono nowrap">{clientId}</span>
        {endsAt ? <span className="sub block">{texts.previousEnds(moment(endsAt))}</span> : null}
      </span>
      {edit && it.type === 'confidential' ? (
        <ConfirmButton
          {...look}
          isDangerous
          verb={texts.rotate}
          label={texts.rotateClient(name)}
          title={texts.rotateClientTitle(name)}
          call={(_, intent) =>
            client.POST('/v1/admin/oauth-clients/{id}/rotate-secret', { params, ...intent })
          }
          done={rotated}
        >
          {overlap > 0
            ? texts.rotateClientOverlap(number(overlap / SECONDS_PER_HOUR))
            : texts.rotateClientAtOnce}
        </ConfirmButton>
      ) : null}
      {edit ? (
        <ConfirmButton
          {...look}
          isDangerous
          verb={texts.remove}
          label={texts.removeClient(name)}
          title={texts.removeClient(name)}
          call={() => client.DELETE('/v1/admin/oauth-clients/{id}', { params })}
        >
          {texts.removeClientText}
        </ConfirmButton>
      ) : null}
    </li>
  )
}

type NewProps = { readonly close: () => void; readonly show: (made: Client) => void }

function NewClient({ close, show }: NewProps) {
  const { integrations: texts } = useAdminTexts()
  return (
    <ActDialog
      opened
      close={close}
      title={texts.addClient}
      verb={texts.addClient}
      initial={{ name: '', addresses: '', isConfidential: true, isConfirmed: true }}
      call={({ name, addresses, isConfidential, isConfirmed }, intent) =>
        client.POST('/v1/admin/oauth-clients', {
          body: {
            name: name.trim(),
            redirectUris: addresses.split(/\s+/).filter(Boolean),
            type: isConfidential ? 'confidential' : 'public',
            requireVerifiedEmail: isConfirmed,
          },
          ...intent,
        })
      }
      changes={[['oauth-clients']]}
      done={show}
    >
      {({ text, flag }) => (
        <>
          <TextInput {...text('name')} label={texts.clientName} required data-autofocus />
          <Textarea
            {...text('addresses')}
            label={texts.redirects}
            description={texts.redirectsHint}
            required
            autosize
            minRows={2}
          />
          <Switch {...flag('isConfidential')} label={texts.confidential} />
          <Switch
            {...flag('isConfirmed')}
            label={texts.confirmedOnly}
            description={texts.confirmedOnlyHint}
          />
        </>
      )}
    </ActDialog>
  )
}
