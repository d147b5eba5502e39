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
  I,
  Listed,
  Once,
  TextInput,
  useFormats,
} from '../../../ui/index.ts'

type Made = { readonly token: string | null; readonly remote: string }

/** Tokens with which the daemon of a node reports directly. */
export function DaemonTokens({ nodeId }: { nodeId: string }) {
  const { panels } = useAdminTexts()
  const { ago, date } = useFormats()
  const mayWrite = useMay()('nodes:write')
  const [isMaking, make] = useState(false)
  const [made, show] = useState<Made | null>(null)
  const key = ['nodes', nodeId, 'daemon-tokens']
  const list = useList(key, (where, signal) =>
    client.GET('/v1/admin/nodes/{id}/daemon-tokens', {
      params: { path: { id: nodeId }, query: where },
      signal,
    }),
  )
  return (
    <Card
      title={panels.tokens}
      right={
        mayWrite ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<I.Plus size={15} aria-hidden />}
            onClick={() => make(true)}
          >
            {panels.newToken}
          </Button>
        ) : null
      }
    >
      <p className="sub">{panels.tokensText}</p>
      <Listed list={list} empty={<p className="sub">{panels.noTokens}</p>}>
        {(rows) => (
          <ul className="methods">
            {rows.map(({ id, machine, mode, lastUsedAt, expiresAt }) => (
              <li key={id}>
                <span className="grow">
                  {machine || panels.machine}
                  <span className="sub block">
                    {panels.mode[mode]} ·{' '}
                    {lastUsedAt ? panels.lastUsed(ago(lastUsedAt)) : panels.neverUsed}
                    {expiresAt ? ` · ${panels.expires(date(expiresAt))}` : ''}
                  </span>
                </span>
                {mayWrite ? (
                  <ConfirmButton
                    isDangerous
                    size="compact-sm"
                    variant="default"
                    verb={panels.endToken}
                    label={panels.endTokenTitle(machine)}
                    title={panels.endTokenTitle(machine)}
                    call={() =>
                      client.DELETE('/v1/admin/nodes/{id}/daemon-tokens/{daemonTokenId}', {
                        params: { path: { id: nodeId, daemonTokenId: id } },
                      })
                    }
                    changes={[key]}
                  >
                    {panels.endTokenText}
                  </ConfirmButton>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      <NewToken nodeId={nodeId} opened={isMaking} close={() => make(false)} show={show} />
      <Once title={panels.tokenMade} opened={made !== null} close={() => show(null)}>
        <Copy big value={made?.remote ?? ''} label={panels.remote} />
        {made?.token ? (
          <>
            <p className="dim">{panels.tokenOnce}</p>
            <Copy big value={made.token} label={panels.token} />
          </>
        ) : null}
      </Once>
    </Card>
  )
}

type NewProps = {
  readonly nodeId: string
  readonly opened: boolean
  readonly close: () => void
  readonly show: (made: Made) => void
}

function NewToken({ nodeId, opened, close, show }: NewProps) {
  const { panels } = useAdminTexts()
  return (
    <ActDialog
      {...{ opened, close }}
      title={panels.newToken}
      verb={panels.make}
      initial={{ machine: '' }}
      secrets={{ token: '' }}
      call={({ machine, token }, intent) =>
        client.POST('/v1/admin/nodes/{id}/daemon-token', {
          params: { path: { id: nodeId } },
          body: {
            ...(machine.trim() && { machine: machine.trim() }),
            ...(token.trim() && { token: token.trim() }),
          },
          ...intent,
        })
      }
      changes={[['nodes', nodeId, 'daemon-tokens']]}
      done={show}
    >
      {({ text }) => (
        <>
          <TextInput
            {...text('machine')}
            label={panels.machine}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            {...text('token')}
            label={panels.panelToken}
            description={panels.panelTokenHint}
            autoComplete="off"
          />
        </>
      )}
    </ActDialog>
  )
}
