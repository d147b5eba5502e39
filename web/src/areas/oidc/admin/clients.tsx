import { useState } from 'react'
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
