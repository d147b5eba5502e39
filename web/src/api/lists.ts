import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { answerOf } from './client.ts'

export type Page<Row> = {
  readonly data: readonly Row[]
  readonly nextCursor: string | null
  readonly total?: number | null
}
type Where = { readonly cursor?: string; readonly count?: boolean }
export type Call<Row> = (
  where: Where,
  signal: AbortSignal,
) => Promise<{ data?: Page<Row> | string; error?: unknown; response: Response }>

export type Listing = { readonly isCounted?: boolean }

/**
 * A list of the API, page by page. `call` gets what to spread into its query: the cursor of a further page and, if the
 * list `isCounted`, the request for the total with the first one.
 */
export function useList<Row>(
  key: readonly unknown[],
  call: Call<Row>,
  { isCounted = false }: Listing = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const first = isCounted ? { count: true } : {}
      const page = await answerOf(call(pageParam ? { cursor: pageParam } : first, signal))
      // Some lists can also return CSV.
      if (typeof page === 'string') throw new TypeError('JSON was asked for, and text came.')
      return page
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
  return {
    rows: query.data?.pages.flatMap(({ data }) => data) ?? null,
    total: query.data?.pages[0]?.total ?? null,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    again: () => void query.refetch(),
    more: () => void query.fetchNextPage(),
  }
}

/** The API does not count further. */
export const MOST_COUNTED = 10_000

/** The changes of a list that it does not show yet. */
export type News = {
  /** The number of new entries; 0 if entries only left the list or moved. */
  readonly count: number
  readonly isAtLeast: boolean
  readonly show: () => void
}

export type List<Row> = {
  readonly rows: readonly Row[] | null
  /** The number of matches, at most `MOST_COUNTED`; null for lists that are not counted. */
  readonly total: number | null
  readonly error: Error | null
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly again: () => void
  readonly more: () => void
  /** Only of lists that follow changes. */
  readonly news?: News | null
}
