import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Card, Loaded, refused, Switch } from '../../ui/index.ts'
import { AccountFrame } from './frame.tsx'

type Preference = components['schemas']['NotificationPreference']
type Channel = 'inApp' | 'email' | 'discord'
type Change = { readonly kind: Preference['kind'] } & Partial<Record<Channel, boolean>>

const preferences = read(['preferences'], (signal) =>
  client.GET('/v1/notifications/preferences', { signal }),
)

/** Which notifications come, and where. Each switch is saved at once. */
export function Messages() {
  const { account } = useTexts()
  return (
    <AccountFrame title={account.messages}>
      <Card>
        <p className="sub">{account.messagesText}</p>
        <Loaded query={useQuery(preferences)}>
          {({ data }) => <Switches preferences={data} />}
        </Loaded>
      </Card>
    </AccountFrame>
  )
}

function Switches({ preferences: all }: { preferences: readonly Preference[] }) {
  const { account, common } = useTexts()
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
    ['discord', account.discord],
  ] as const
  const shown = channels.filter(([channel]) => all.some((it) => it[channel] !== null))
  return (
    <table className="table">
      <caption className="sr">{account.messages}</caption>
      <thead>
        <tr>
          <th scope="col">{account.messages}</th>
          {shown.map(([channel, name]) => (
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
            {shown.map(([channel, name]) => {
              const found = preference[channel]
              const label = `${preference.label}: ${name}`
              const isAsked = change.isPending && change.variables?.kind === preference.kind
              return (
                <td key={channel}>
                  {found === null ? null : (
                    <Switch
                      aria-label={found.locked ? `${label}, ${account.always}` : label}
                      checked={
                        isAsked ? (change.variables?.[channel] ?? found.enabled) : found.enabled
                      }
                      disabled={found.locked}
                      onChange={(event) =>
                        change.mutate({
                          kind: preference.kind,
                          [channel]: event.currentTarget.checked,
                        })
                      }
                    />
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
