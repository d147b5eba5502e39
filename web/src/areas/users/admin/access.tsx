import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { shownUserId } from '../../../api/session.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Card, ConfirmButton, Facts, I, Loaded, Tag, useFormats } from '../../../ui/index.ts'
import { deviceOf } from '../../account/index.ts'
import { accessOf, type Person } from './reads.ts'

type Access = components['schemas']['AccountAccess']

/** How a person signs in, where they are signed in, and help for people who cannot sign in. */
export function AccessCard({ person }: { person: Person }) {
  const { people } = useAdminTexts()
  return (
    <Card title={people.access}>
      <Loaded query={useQuery(accessOf(person.id))} waiting={null}>
        {(access) => (
          <div className="stack">
            <Facts
              rows={[
                [people.passkeys, String(access.passkeys)],
                [people.authenticator, access.authenticatorApp ? people.yes : people.no],
                [people.recoveryCodes, String(access.recoveryCodesLeft)],
                ...access.connections.map(
                  ({ provider, name }) => [people.connections[provider] ?? provider, name] as const,
                ),
              ]}
            />
            <Sessions sessions={access.sessions} />
            <ApiKeys keys={access.apiKeys} />
            {person.status === 'deleted' ? null : <Help {...{ person, access }} />}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Sessions({ sessions }: { sessions: Access['sessions'] }) {
  const { people } = useAdminTexts()
  const { account } = useTexts()
  const { ago } = useFormats()
  return (
    <section>
      <h3 className="legend-label">{people.sessions}</h3>
      {sessions.length === 0 ? <p className="dim">{people.noSessions}</p> : null}
      <ul className="methods">
        {sessions.map(({ id, userAgent, address, refreshedAt, impersonatorId }) => (
          <li key={id}>
            <I.Login size={20} stroke={1.75} aria-hidden className="icon dim" />
            <span className="grow least">
              <span className="cut block">{deviceOf(userAgent) ?? account.unknownDevice}</span>
              <span className="sub block">
                {address ? `${address} · ` : ''}
                {account.lastUsed(ago(refreshedAt))}
              </span>
            </span>
            {impersonatorId ? <Tag tone="attention">{people.byStaff}</Tag> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ApiKeys({ keys }: { keys: Access['apiKeys'] }) {
  const { people } = useAdminTexts()
  const { account } = useTexts()
  const { ago } = useFormats()
  if (keys.length === 0) return null
  return (
    <section>
      <h3 className="legend-label">{people.apiKeys}</h3>
      <ul className="methods">
        {keys.map(({ id, name, prefix, lastUsedAt }) => (
          <li key={id}>
            <I.Key size={20} stroke={1.75} aria-hidden className="icon dim" />
            <span className="grow least">
              <span className="cut block">{name ?? prefix}</span>
              <span className="sub block">
                <span className="mono">{prefix}…</span> ·{' '}
                {lastUsedAt ? account.lastUsed(ago(lastUsedAt)) : people.neverUsed}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Help({ person, access }: { person: Person; access: Access }) {
  const { people } = useAdminTexts()
  const { id, name, email, emailVerifiedAt } = person
  const params = { path: { id } }
  const shared = { variant: 'default', size: 'compact-sm', changes: [['admin', 'people']] } as const
  // The API refuses these actions for one's own account.
  const isOwn = id === shownUserId()
  const hasFactor = access.authenticatorApp || access.passkeys > 0
  return (
    <div className="row wrap">
      {access.sessions.length > 0 ? (
        <ConfirmButton
          {...shared}
          verb={people.endSessions}
          title={people.endSessionsTitle(name)}
          call={(_, intent) =>
            client.POST('/v1/admin/users/{id}/end-sessions', { params, ...intent })
          }
          told={people.sessionsEnded}
        >
          {people.endSessionsText}
        </ConfirmButton>
      ) : null}
      {emailVerifiedAt || isOwn ? null : (
        <ConfirmButton
          {...shared}
          verb={people.confirmEmail}
          title={people.confirmEmailTitle(email)}
          call={(_, intent) =>
            client.POST('/v1/admin/users/{id}/confirm-email', { params, ...intent })
          }
          told={people.emailConfirmed}
        >
          {people.confirmEmailText}
        </ConfirmButton>
      )}
      {hasFactor && !isOwn ? (
        <ConfirmButton
          {...shared}
          isDangerous
          verb={people.resetFactors}
          title={people.resetFactorsTitle(name)}
          call={(_, intent) =>
            client.POST('/v1/admin/users/{id}/reset-second-factors', { params, ...intent })
          }
          told={people.factorsReset}
        >
          {people.resetFactorsText}
        </ConfirmButton>
      ) : null}
    </div>
  )
}
