import type { components } from '@moorage/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { answerOf, client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Empty,
  Failed,
  I,
  Loading,
  Private,
  Skeleton,
  Timeline,
  useFormats,
} from '../../ui/index.ts'
import { type Deed, deedOf, objectOf } from './activity-words.ts'

/** The height of one entry of a timeline, in pixels. */
const ENTRY_HEIGHT = 47

export type Entry = components['schemas']['ServerActivity']

type ActivityProps = {
  readonly id: string
  readonly limit?: number
  /** Only entries of this kind. */
  readonly kind?: Deed | null
  /** The content above the entries, once there are any. */
  readonly tools?: (loaded: readonly Entry[], shown: readonly Entry[]) => ReactNode
}

/** Newest first; with a `limit`, only this many, without a button for more. */
export function ActivityList(props: ActivityProps) {
  return (
    <Private>
      <Entries {...props} />
    </Private>
  )
}

function Entries({ id, limit, kind = null, tools }: ActivityProps) {
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
    // The skeleton reserves the height, so that the content below does not move on a phone.
    return limit === undefined ? <Loading>…</Loading> : <Skeleton height={limit * ENTRY_HEIGHT} />
  }
  const loaded = query.data.pages.flatMap(({ data }) => data)
  if (loaded.length === 0) {
    return limit === undefined ? (
      <Empty icon={I.History} title={services.noActivity}>
        {services.noActivityText}
      </Empty>
    ) : (
      <p className="sub">{services.noActivity}</p>
    )
  }
  const entries = loaded.filter((it) => !kind || deedOf(it) === kind).slice(0, limit)
  return (
    <>
      {tools?.(loaded, entries)}
      <Timeline
        entries={entries.map((entry) => ({
          ...{ key: entry.id, when: ago(entry.happenedAt) },
          ...{ icon: I.History, tone: 'ended' as const },
          what: (
            <>
              {services.did[deedOf(entry)]} <span className="mono">{objectOf(entry)}</span>{' '}
              <span className="dim">{entry.panelUser ?? services.daemon}</span>
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
