import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, I, Listed, refused, Tag, told, useFormats } from '../../ui/index.ts'
import { deviceOf } from './devices.ts'

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
