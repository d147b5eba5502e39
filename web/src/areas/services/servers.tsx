import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { answerOf, client } from '../../api/client.ts'
import { isViewing } from '../../api/session.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Empty,
  Failed,
  I,
  Link,
  Loading,
  Page,
  Select,
  Table,
  TextInput,
  useFormats,
} from '../../ui/index.ts'
import { useRowKeys } from '../../ui/lists/keys.ts'
import { IncidentBanner } from '../incidents/banner.tsx'
import { paidUntil } from './period.ts'
import { Amount } from './price.tsx'
import { liveStatuses, type Service } from './reads.ts'
import { type ServiceStatus, ServiceTag, STATUSES } from './status.tsx'

const PAUSE_MS = 250
/** The most live states in one request. */
const MOST = 25

/** All servers, with a search and a filter that are in the URL. */
export function Servers() {
  const { services, navigation, common } = useTexts()
  const { status, q } = useSearch({ from: '/customer/servers' })
  const navigate = useNavigate({ from: '/servers' })
  const [text, setText] = useState(q ?? '')
  useEffect(() => {
    const wanted = text.trim()
    const timer = setTimeout(() => {
      if (wanted === (q ?? '')) return
      void navigate({
        search: (before) => ({ ...before, q: wanted || undefined }),
        replace: true,
      })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, q, navigate])
  const filter = { ...(status && { status }), ...(q && { q }) }
  const query = useInfiniteQuery({
    queryKey: ['services', 'list', filter],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        client.GET('/v1/services', {
          params: { query: { ...filter, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  const isFiltered = status !== undefined || q !== undefined
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Page
      title={services.title}
      actions={
        <Button component="a" href="/" leftSection={<I.Plus size={16} aria-hidden />}>
          {navigation.newServer}
        </Button>
      }
    >
      <IncidentBanner />
      <div className="tools">
        <TextInput
          aria-label={services.find}
          placeholder={services.find}
          leftSection={<I.Search size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Select
          aria-label={services.statusFilter}
          value={status ?? ''}
          data={[
            { value: '', label: services.any },
            ...STATUSES.map((value) => ({ value, label: services.status[value] })),
          ]}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, status: (value || undefined) as ServiceStatus }),
              replace: true,
            })
          }
        />
      </div>
      {query.error && !query.data ? (
        <Failed error={query.error} again={() => void query.refetch()} />
      ) : !query.data ? (
        <Loading />
      ) : rows.length === 0 ? (
        <Card>
          <NoServers
            isFiltered={isFiltered}
            clear={() => {
              setText('')
              void navigate({ search: {}, replace: true })
            }}
          />
        </Card>
      ) : (
        <>
          <div className="card" ref={list}>
            <List rows={rows} />
          </div>
          {query.hasNextPage ? (
            <Button
              variant="default"
              className="below"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {common.showMore}
            </Button>
          ) : null}
        </>
      )}
    </Page>
  )
}

function NoServers({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  const { services, home } = useTexts()
  if (isFiltered) {
    return (
      <Empty
        icon={I.Search}
        title={services.noMatch}
        action={
          <Button variant="default" onClick={clear}>
            {services.clear}
          </Button>
        }
      />
    )
  }
  return (
    <Empty
      icon={I.Server2}
      title={home.none}
      action={
        <Button component="a" href="/">
          {home.chooseGame}
        </Button>
      }
    >
      {home.noneText}
    </Empty>
  )
}

function List({ rows }: { rows: readonly Service[] }) {
  const { services } = useTexts()
  const { date } = useFormats()
  const active = rows.filter(({ status }) => status === 'active').map(({ id }) => id)
  const live = useQuery({
    ...liveStatuses(active.slice(0, MOST)),
    enabled: active.length > 0 && !isViewing(),
    refetchInterval: 15_000,
  }).data?.data
  const powerOf = (id: string) => {
    const found = live?.find((it) => it.id === id)?.live
    return found?.available ? found.state : null
  }
  return (
    <Table
      caption={services.title}
      rows={rows}
      rowKey={({ id }) => id}
      links
      columns={[
        {
          head: services.title,
          cell: ({ id, name }) => (
            <Link to="/servers/$id" params={{ id }} className="rowlink">
              {name}
            </Link>
          ),
        },
        {
          head: services.statusFilter,
          small: 'second',
          cell: ({ id, status }) => <ServiceTag status={status} power={powerOf(id)} />,
        },
        { head: services.product, small: 'sub', cell: ({ product }) => product.name },
        {
          head: services.renewsOn,
          small: 'hide',
          cell: (it) => {
            const until = paidUntil(it)
            return <span className="dim num">{until ? date(until) : '–'}</span>
          },
        },
        {
          head: services.price,
          right: true,
          small: 'second',
          cell: ({ plan, role, prices }) =>
            role !== 'owner' ? (
              services.sharedWith
            ) : prices ? (
              <Amount price={prices} cents={prices.totalCents} currency={plan.currency} />
            ) : (
              '–'
            ),
        },
      ]}
    />
  )
}
