import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

type Search = Readonly<Record<string, string | undefined>>

/** The state of a list in the URL: filters, dates. A shared link shows the same list. */
export function useListAddress() {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const set = useCallback(
    (change: Search) =>
      void navigate({
        to: '.',
        search: (before: object) =>
          Object.fromEntries(
            Object.entries({ ...before, ...change }).filter(([, value]) => value),
          ) as never,
        replace: true,
      }),
    [navigate],
  )
  return {
    search,
    set,
    isFiltered: Object.keys(search).some((name) => name !== 'sort' && search[name]),
    /** The state as a query string, the same one for the same state. */
    query: new URLSearchParams(
      Object.entries(search)
        .flatMap(([name, value]) => (value ? [[name, value]] : []))
        .toSorted(),
    ).toString(),
    /** Opens the list as a query string describes it; the router validates it like any address. */
    open: (query: string) =>
      void navigate({ to: '.', search: Object.fromEntries(new URLSearchParams(query)) as never }),
    clear: () => void navigate({ to: '.', search: {} as never, replace: true }),
  }
}
