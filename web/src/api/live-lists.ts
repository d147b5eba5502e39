import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { answerOf } from './client.ts'
import { type Call, type List, type Listing, type News, type Page, useList } from './lists.ts'

/** How often the first page is requested again while the tab is visible. An unchanged one is an empty response. */
const POLL_MS = 30_000
const NOT_MODIFIED = 304

type LiveCall<Row> = (
  ...args: [...Parameters<Call<Row>>, headers: Record<string, string>]
) => ReturnType<Call<Row>>

type Keys = {
  readonly list: readonly unknown[]
  /** The key of the polls: invalidating it polls at once. */
  readonly news: readonly unknown[]
}

/** The first page of a poll, and when it was requested. */
type Polled<Row> = { readonly at: number; readonly page: Page<Row> | null }

/**
 * A list that notices changes: shown entries are updated in place, and `news` counts the entries that are not shown
 * yet. Nothing moves until the reader asks for them. `call` also gets the headers of a conditional request.
 */
export function useLiveList<Row extends { readonly id: string }>(
  keys: Keys,
  call: LiveCall<Row>,
  listing: Listing = {},
): List<Row> {
  const queries = useQueryClient()
  /** The version of the first page that was received last. */
  const tag = useRef<string | null>(null)
  const list = useList<Row>(
    keys.list,
    async (where, signal) => {
      const answer = await call(where, signal, {})
      if (where.cursor === undefined) tag.current = answer.response.headers.get('etag')
      return answer
    },
    listing,
  )
  const polled = useQuery({
    queryKey: keys.news,
    queryFn: async ({ signal }): Promise<Polled<Row>> => {
      const at = Date.now()
      const answer = await call({}, signal, tag.current ? { 'if-none-match': tag.current } : {})
      const known = queries.getQueryData<Polled<Row>>(keys.news)
      if (answer.response.status === NOT_MODIFIED && known) return known
      const page = await answerOf(Promise.resolve(answer))
      if (typeof page === 'string') throw new TypeError('JSON was asked for, and text came.')
      tag.current = answer.response.headers.get('etag')
      const updatedAt = queries.getQueryState(keys.list)?.dataUpdatedAt
      if (updatedAt) {
        queries.setQueryData<InfiniteData<Page<Row>>>(keys.list, (it) => it && updated(it, page), {
          updatedAt,
        })
      }
      return { at, page }
    },
    initialData: { at: 0, page: null },
    ...{ staleTime: POLL_MS, refetchInterval: POLL_MS, gcTime: 0 },
  }).data
  const listedAt = queries.getQueryState(keys.list)?.dataUpdatedAt ?? 0
  const page = polled.at > listedAt ? polled.page : null
  return { ...list, news: page && list.rows ? newsOf(list.rows, page, list.again) : null }
}

/** The loaded pages with the present state of their entries, in their old places. */
function updated<Row extends { readonly id: string }>(
  shown: InfiniteData<Page<Row>>,
  { data }: Page<Row>,
): InfiniteData<Page<Row>> {
  const fresh = new Map(data.map((row) => [row.id, row]))
  const pages = shown.pages.map((page) => ({
    ...page,
    data: page.data.map((row) => fresh.get(row.id) ?? row),
  }))
  return { ...shown, pages }
}

/** Null if the list shows the page. Entries that left the list are noticed only where the page reaches. */
function newsOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { data, nextCursor }: Page<Row>,
  show: () => void,
): News | null {
  const shown = new Set(rows.map(({ id }) => id))
  const fresh = new Set(data.map(({ id }) => id))
  const count = data.filter(({ id }) => !shown.has(id)).length
  const reached = nextCursor === null ? rows : rows.slice(0, data.length)
  if (count === 0 && reached.every(({ id }) => fresh.has(id))) return null
  return { count, isAtLeast: count === data.length && nextCursor !== null, show }
}
