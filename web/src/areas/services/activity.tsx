import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, client } from '../../api/client.ts'
import { offerFile } from '../../api/downloads.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Empty,
  Failed,
  I,
  Loading,
  Private,
  Select,
  Timeline,
  useFormats,
} from '../../ui/index.ts'
import { csvOf } from '../../ui/lists/csv.ts'
import { type Deed, deedOf, objectOf } from './activity-words.ts'
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
  const [kind, choose] = useState<Deed | null>(null)
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
  const save = () => {
    const rows = entries.map((it) => [
      it.happenedAt,
      services.did[deedOf(it)],
      objectOf(it),
      it.panelUser ?? services.daemon,
    ])
    offerFile('activity.csv', csvOf(rows))
  }
  return (
    <>
      {limit === undefined ? (
        <div className="tools">
          <Select
            aria-label={services.activityFilter}
            value={kind ?? ''}
            data={[
              { value: '', label: services.allKinds },
              ...[...new Set(loaded.map(deedOf))].map((value) => ({
                value,
                label: services.did[value],
              })),
            ]}
            onChange={(value) => choose((value || null) as Deed | null)}
          />
          <Button
            variant="default"
            leftSection={<I.Download size={16} aria-hidden />}
            onClick={save}
          >
            {services.csv}
          </Button>
        </div>
      ) : null}
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
