import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { meta } from '../../api/reads.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, Loaded, refused, Switch } from '../../ui/index.ts'
import { AccountFrame } from './frame.tsx'

type Preference = components['schemas']['NotificationPreference']
type Channel = 'inApp' | 'email' | 'discord'
type Change = { readonly kind: Preference['kind'] } & Partial<Record<Channel, boolean>>

const preferences = read(['preferences'], (signal) =>
  client.GET('/v1/notifications/preferences', { signal }),
)

/** Which notifications the person gets, and by which channel. Each switch is saved at once, and can be reverted. */
export function Messages() {
  const { account } = useTexts()
  return (
    <AccountFrame title={account.messages}>
      <Card>
        <p className="sub">
          {account.messagesText} {account.alwaysText}
        </p>
        <Loaded query={useQuery(preferences)}>
          {({ data }) => <Switches preferences={data} />}
        </Loaded>
      </Card>
    </AccountFrame>
  )
}

function Switches({ preferences: all }: { preferences: readonly Preference[] }) {
  const { account, common } = useTexts()
  const offered = useQuery(meta).data?.features.connections ?? []
  const [before, remember] = useState<Change | null>(null)
  const change = useAction(
    (wanted: Change) => client.PATCH('/v1/notifications/preferences', { body: { data: [wanted] } }),
    {
      changes: [['preferences']],
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const channels = [
    ['inApp', account.inApp],
    ['email', account.mail],
    ...(offered.includes('discord') ? [['discord', account.discord] as const] : []),
  ] as const
  const set = (kind: Change['kind'], channel: Channel, wanted: boolean) => {
    change.mutate({ kind, [channel]: wanted })
    remember({ kind, [channel]: !wanted })
  }
  const undo = () => {
    if (before) change.mutate(before)
    remember(null)
  }
  const changed = all.find(({ kind }) => kind === before?.kind)
  return (
    <>
      <div role="status" className="row gap12 undo">
        {changed && !change.isPending ? (
          <>
            <span>
              {common.saved}: {changed.label}
            </span>
            <Button size="compact-sm" variant="subtle" onClick={undo}>
              {common.undo}
            </Button>
          </>
        ) : null}
      </div>
      <table className="table">
        <caption className="sr">{account.messages}</caption>
        <thead>
          <tr>
            <th scope="col">{account.messages}</th>
            {channels.map(([channel, name]) => (
              <th key={channel} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.map((preference) => (
            <tr key={preference.kind}>
              <th scope="row" className="plain-head">
                {preference.label}
              </th>
              {channels.map(([channel, name]) => {
                const { enabled, locked } = preference[channel]
                const isAsked = change.isPending && change.variables?.kind === preference.kind
                if (locked) {
                  return (
                    <td key={channel} className="sub">
                      {enabled ? account.always : '–'}
                    </td>
                  )
                }
                return (
                  <td key={channel}>
                    <Switch
                      aria-label={`${preference.label}: ${name}`}
                      checked={isAsked ? (change.variables?.[channel] ?? enabled) : enabled}
                      onChange={(event) =>
                        set(preference.kind, channel, event.currentTarget.checked)
                      }
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
