import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Loaded } from '../../ui/index.ts'
import { Entries } from './entries.tsx'

/** The newest fifty; the service does not store older ones. */
export const newest = read(['notifications', 'newest'], (signal) =>
  client.GET('/v1/notifications', { signal }),
)

/** The newest notifications, for the start page. */
export function NotificationList({ limit }: { limit: number }) {
  const { home } = useTexts()
  return (
    <Loaded query={useQuery(newest)} waiting="…">
      {({ data }) =>
        data.length === 0 ? (
          <p className="sub">{home.noNews}</p>
        ) : (
          <Entries notifications={data.slice(0, limit)} />
        )
      }
    </Loaded>
  )
}
