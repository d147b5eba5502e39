import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, Empty, I, LinkButton, Loaded, Page, refused } from '../../ui/index.ts'
import { Entries } from './entries.tsx'
import { newest } from './list.tsx'

/** All stored notifications. */
export function AllNotifications() {
  const { notifications, common } = useTexts()
  const query = useQuery(newest)
  const markAll = useAction(
    (_: null, intent) => client.POST('/v1/notifications/read-all', intent),
    {
      changes: [['notifications'], ['summary']],
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const isUnread = query.data?.data.some(({ readAt }) => readAt === null) ?? false
  return (
    <Page
      title={notifications.title}
      actions={
        <>
          <LinkButton to="/account/messages" variant="default">
            {notifications.settings}
          </LinkButton>
          <Button
            disabled={!isUnread}
            loading={markAll.isPending}
            onClick={() => markAll.mutate(null)}
          >
            {notifications.markAll}
          </Button>
        </>
      }
    >
      <Card>
        <Loaded query={query}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon={I.Bell} title={notifications.none}>
                {notifications.noneText}
              </Empty>
            ) : (
              <Entries notifications={data} />
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}
