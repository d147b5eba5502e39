import { useInfiniteQuery } from '@tanstack/react-query'
import { answerOf, client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Failed,
  I,
  Loading,
  Private,
  Skeleton,
  Timeline,
  useFormats,
} from '../../ui/index.ts'

/** Of one entry of a timeline, in pixels. */
const ENTRY_HEIGHT = 47

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
  if (!query.data) {
    // What stands below it on a phone stays where it is.
    return limit === undefined ? <Loading>…</Loading> : <Skeleton height={limit * ENTRY_HEIGHT} />
  }
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
