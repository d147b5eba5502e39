import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, I, Listed, refused, Tag, told, useFormats } from '../../ui/index.ts'

/** Where the person is signed in. */
export function Sessions() {
  const { account, common } = useTexts()
  const { ago } = useFormats()
  const list = useList(['sessions'], (where, signal) =>
    client.GET('/v1/users/me/sessions', { params: { query: where }, signal }),
  )
  const options = {
    changes: [['sessions']],
    failed: (error: Error) => refused(common.refused, error.message),
  }
  const end = useAction(
    (id: string) => client.DELETE('/v1/users/me/sessions/{id}', { params: { path: { id } } }),
    options,
  )
  const endOthers = useAction((_: null) => client.DELETE('/v1/users/me/sessions'), {
    ...options,
    done: () => told(account.othersEnded),
  })
  return (
    <Card
      title={account.sessions}
      right={
        <Button
          size="compact-sm"
          variant="default"
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate(null)}
        >
          {account.endOthers}
        </Button>
      }
    >
      <Listed list={list} empty={null}>
        {(rows) => (
          <ul className="methods">
            {rows.map((session) => (
              <li key={session.id}>
                <I.Login size={20} stroke={1.75} aria-hidden className="icon dim" />
                <span className="grow">
                  {deviceOf(session.userAgent) ?? account.unknownDevice}
                  <span className="sub block">
                    {session.address ? `${session.address} · ` : ''}
                    {account.lastUsed(ago(session.lastUsedAt))}
                  </span>
                </span>
                {session.current ? (
                  <Tag tone="active">{account.thisSession}</Tag>
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={end.isPending && end.variables === session.id}
                    onClick={() => end.mutate(session.id)}
                  >
                    {account.endSession}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}

const BROWSERS = [
  ...[['Edg/', 'Edge'] as const, ['OPR/', 'Opera'] as const, ['Firefox/', 'Firefox'] as const],
  ...[['Chrome/', 'Chrome'] as const, ['Safari/', 'Safari'] as const],
]
const SYSTEMS = [
  ...[['Windows', 'Windows'] as const, ['Android', 'Android'] as const],
  ...[['iPhone', 'iPhone'] as const, ['iPad', 'iPad'] as const],
  ...[['Mac OS X', 'macOS'] as const, ['Linux', 'Linux'] as const],
]

/** Browser and system, as far as the user agent tells; else what it says itself. */
function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([mark]) => userAgent.includes(mark))?.[1]
  const parts = [find(BROWSERS), find(SYSTEMS)].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : userAgent.slice(0, 60)
}
