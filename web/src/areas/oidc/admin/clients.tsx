import { useState } from 'react'
import { fieldErrors, useAction } from '../../../api/actions.ts'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActionDialog,
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
} from '../../../ui/index.ts'

type Made = { readonly clientId: string; readonly clientSecret: string | null }

/** Applications that people sign in to with their account here. */
export function ClientsCard() {
  const { integrations: texts } = useAdminTexts()
  const mayWrite = useMay()('oauth:write')
  const [isAdding, add] = useState(false)
  const [made, show] = useState<Made | null>(null)
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
            {rows.map(({ id, name, clientId }) => (
              <li key={id}>
                <span className="grow cut">
                  {name}
                  <span className="sub block mono">{clientId}</span>
                </span>
                {mayWrite ? (
                  <ConfirmButton
                    isDangerous
                    size="compact-sm"
                    variant="default"
                    verb={texts.remove}
                    label={texts.removeClient(name)}
                    title={texts.removeClient(name)}
                    call={() =>
                      client.DELETE('/v1/admin/oauth-clients/{id}', { params: { path: { id } } })
                    }
                    changes={[['oauth-clients']]}
                  >
                    {texts.removeClientText}
                  </ConfirmButton>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
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

type NewProps = { readonly close: () => void; readonly show: (made: Made) => void }

function NewClient({ close, show }: NewProps) {
  const { integrations: texts } = useAdminTexts()
  const [name, setName] = useState('')
  const [addresses, setAddresses] = useState('')
  const [isConfidential, setConfidential] = useState(true)
  const create = useAction(
    (wanted: { name: string; redirectUris: string[]; type: 'confidential' | 'public' }, intent) =>
      client.POST('/v1/admin/oauth-clients', { body: wanted, ...intent }),
    {
      changes: [['oauth-clients']],
      done: (made) => {
        close()
        show(made)
      },
    },
  )
  const errors = fieldErrors(create.error)
  return (
    <ActionDialog
      opened
      close={close}
      title={texts.addClient}
      action={texts.addClient}
      run={() =>
        create.mutate({
          name: name.trim(),
          redirectUris: addresses.split(/\s+/).filter(Boolean),
          type: isConfidential ? 'confidential' : 'public',
        })
      }
      isRunning={create.isPending}
      error={create.error}
    >
      <TextInput
        label={texts.clientName}
        value={name}
        required
        data-autofocus
        error={errors.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={texts.redirects}
        description={texts.redirectsHint}
        value={addresses}
        required
        autosize
        minRows={2}
        onChange={(event) => setAddresses(event.currentTarget.value)}
      />
      <Switch
        label={texts.confidential}
        checked={isConfidential}
        onChange={(event) => setConfidential(event.currentTarget.checked)}
      />
    </ActionDialog>
  )
}
