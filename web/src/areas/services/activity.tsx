import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Empty,
  Failed,
  I,
  Loading,
  Private,
  Timeline,
  useFormats,
} from '../../ui/index.ts'
import { ServiceFrame } from './frame.tsx'

/** Who did what on the server, as the panel tells it. */
export function ServiceActivity() {
  const { services } = useTexts()
  return (
    <ServiceFrame>
      {({ service: { id, role } }) =>
        role === 'owner' ? (
          <Card title={services.tabs.activity}>
            <ActivityList id={id} />
          </Card>
        ) : (
          <Empty icon={I.Lock} title={services.tabs.activity}>
            {services.activityOwner}
          </Empty>
        )
      }
    </ServiceFrame>
  )
}

type ActivityProps = { readonly id: string; readonly limit?: number }

/** The newest first; with a `limit` only so many, without the way to more. */
export function ActivityList(props: ActivityProps) {
  return (
    <Private>
      <Entries {...props} />
    </Private>
  )
}

function Entries({ id, limit }: ActivityProps) {
  const { services, common } = useTexts()
  const { ago } = useFormats()
  const query = useInfiniteQuery({
    queryKey: ['service', id, 'activity'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        client.GET('/v1/services/{id}/activity', {
          params: { path: { id }, query: pageParam ? { cursor: pageParam } : {} },
          signal,
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  if (query.error) return <Failed error={query.error} again={() => void query.refetch()} />
  if (!query.data) return <Loading>…</Loading>
  const entries = query.data.pages.flatMap(({ data }) => data).slice(0, limit)
  if (entries.length === 0) return <p className="sub">{services.noActivity}</p>
  return (
    <>
      <Timeline
        entries={entries.map(({ id: key, event, panelUser, happenedAt }) => ({
          ...{ key, icon: I.History, tone: 'ended' as const, when: ago(happenedAt) },
          what: (
            <>
              <span className="mono">{event}</span>{' '}
              <span className="dim">{panelUser === null ? services.daemon : panelUser}</span>
            </>
          ),
        }))}
      />
      {limit === undefined && query.hasNextPage ? (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {common.showMore}
        </Button>
      ) : null}
    </>
  )
}
