import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { meta } from '../../api/reads.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, Loaded, refused } from '../../ui/index.ts'
import { type Proof, Proven } from './proof.tsx'

const connections = read(['connections'], (signal) =>
  client.GET('/v1/users/me/connections', { signal }),
)
const DISCORD = 'Discord'

/** The person's accounts at other services; not shown if the shop offers none. */
export function Connections() {
  const { account, common } = useTexts()
  const [isLinking, link] = useState(false)
  const offered = useQuery(meta).data?.features.connections ?? []
  const query = useQuery({ ...connections, enabled: offered.length > 0 })
  const start = useAction(
    (proof: Proof, intent) =>
      client.POST('/v1/users/me/connections', {
        body: { ...proof, provider: 'discord' },
        ...intent,
      }),
    { done: ({ url }) => location.assign(url) },
  )
  const unlink = useAction(
    (_: null) =>
      client.DELETE('/v1/users/me/connections/{provider}', {
        params: { path: { provider: 'discord' } },
      }),
    {
      changes: [['connections']],
      failed: (error) => refused(common.refused, error.message),
    },
  )
  if (!offered.includes('discord')) return null
  return (
    <Card title={account.connections}>
      <Loaded query={query} waiting="…">
        {({ data: [linked] }) =>
          linked ? (
            <div className="row between">
              <span>
                {DISCORD}: {linked.name}
              </span>
              <Button
                variant="default"
                loading={unlink.isPending}
                onClick={() => unlink.mutate(null)}
              >
                {account.unlink}
              </Button>
            </div>
          ) : (
            <div className="row between">
              <span>{account.noConnection(DISCORD)}</span>
              <Button onClick={() => link(true)}>{account.link(DISCORD)}</Button>
            </div>
          )
        }
      </Loaded>
      <Proven
        opened={isLinking}
        close={() => link(false)}
        title={account.link(DISCORD)}
        action={account.link(DISCORD)}
        run={(proof) => start.mutate(proof)}
        isRunning={start.isPending}
        error={start.error}
      />
    </Card>
  )
}
