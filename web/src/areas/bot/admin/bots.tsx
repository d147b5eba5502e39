import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActDialog,
  Button,
  Card,
  Checkbox,
  ConfirmButton,
  Copy,
  Empty,
  I,
  Listed,
  Once,
  TextInput,
  useFormats,
} from '../../../ui/index.ts'

const SCOPES = ['users:read', 'roles:read', 'notifications:read'] as const
type Scope = (typeof SCOPES)[number]

/** Bots, each with its own read-only token. */
export function BotsCard() {
  const { integrations: texts } = useAdminTexts()
  const { ago } = useFormats()
  const { panels } = useAdminTexts()
  const mayWrite = useMay()('bot:write')
  const [isAdding, add] = useState(false)
  const [token, show] = useState<string | null>(null)
  const list = useList(['bot-tokens'], (where, signal) =>
    client.GET('/v1/admin/bot-tokens', { params: { query: where }, signal }),
  )
  return (
    <Card
      title={texts.bots}
      right={
        mayWrite ? (
          <Button size="compact-sm" variant="default" onClick={() => add(true)}>
            {texts.addBot}
          </Button>
        ) : null
      }
    >
      <p className="sub">{texts.botsText}</p>
      <Listed list={list} empty={<Empty icon={I.Robot} title={texts.noBots} />}>
        {(rows) => (
          <ul className="methods">
            {rows.map(({ id, name, prefix, scopes, lastUsedAt }) => (
              <li key={id}>
                <span className="grow">
                  {name} <span className="mono dim">{prefix}…</span>
                  <span className="sub block">
                    {scopes.map((it) => texts.botScopes[it]).join(', ')} ·{' '}
                    {lastUsedAt ? panels.lastUsed(ago(lastUsedAt)) : panels.neverUsed}
                  </span>
                </span>
                {mayWrite ? (
                  <ConfirmButton
                    isDangerous
                    size="compact-sm"
                    variant="default"
                    verb={texts.revoke}
                    label={texts.revokeTitle(name)}
                    title={texts.revokeTitle(name)}
                    call={() =>
                      client.DELETE('/v1/admin/bot-tokens/{id}', { params: { path: { id } } })
                    }
                    changes={[['bot-tokens']]}
                  >
                    {texts.revokeText}
                  </ConfirmButton>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {isAdding ? <NewBot close={() => add(false)} show={show} /> : null}
      <Once title={texts.botMade} opened={token !== null} close={() => show(null)}>
        <p className="dim">{texts.secretOnce}</p>
        <Copy big value={token ?? ''} label={texts.botMade} />
      </Once>
    </Card>
  )
}

type NewProps = { readonly close: () => void; readonly show: (token: string) => void }

function NewBot({ close, show }: NewProps) {
  const { integrations: texts } = useAdminTexts()
  const initial: { name: string; scopes: readonly Scope[] } = { name: '', scopes: ['users:read'] }
  return (
    <ActDialog
      opened
      {...{ close, initial }}
      title={texts.addBot}
      verb={texts.addBot}
      call={({ name, scopes }, intent) =>
        client.POST('/v1/admin/bot-tokens', {
          body: { name: name.trim(), scopes: [...scopes] },
          ...intent,
        })
      }
      changes={[['bot-tokens']]}
      done={({ token }) => show(token)}
    >
      {({ fields: { scopes }, set, text }) => (
        <>
          <TextInput {...text('name')} label={texts.botName} required data-autofocus />
          <fieldset className="plain stack s8">
            <legend className="legend-label">{texts.scopes}</legend>
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                label={texts.botScopes[scope]}
                checked={scopes.includes(scope)}
                onChange={({ currentTarget: { checked } }) =>
                  set({
                    scopes: checked ? [...scopes, scope] : scopes.filter((it) => it !== scope),
                  })
                }
              />
            ))}
          </fieldset>
        </>
      )}
    </ActDialog>
  )
}
