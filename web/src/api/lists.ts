import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { answerOf } from './client.ts'

type Page<Row> = { readonly data: readonly Row[]; readonly nextCursor: string | null }
type Where = { readonly cursor?: string }
type Call<Row> = (
  where: Where,
  signal: AbortSignal,
) => Promise<{ data?: Page<Row> | string; error?: unknown; response: Response }>

/** A list of the API, page by page. `call` gets the cursor to spread into its query. */
export function useList<Row>(key: readonly unknown[], call: Call<Row>) {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const page = await answerOf(call(pageParam ? { cursor: pageParam } : {}, signal))
      // Some lists can also return CSV.
      if (typeof page === 'string') throw new TypeError('JSON was asked for, and text came.')
      return page
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
  return {
    rows: query.data?.pages.flatMap(({ data }) => data) ?? null,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    again: () => void query.refetch(),
    more: () => void query.fetchNextPage(),
  }
}

export type List<Row> = {
  readonly rows: readonly Row[] | null
  readonly error: Error | null
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly again: () => void
  readonly more: () => void
}
