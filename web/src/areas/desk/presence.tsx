import { answerOf, MoorageError } from '@moorage/client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { client } from '../../api/client.ts'
import { isViewing } from '../../api/session.ts'
import { useAdminTexts } from '../../texts/admin.tsx'
import { Avatar } from '../../ui/index.ts'

/** How often the page is reported as open while it is visible. Presence ends 60 seconds after the last report. */
const BEAT_MS = 25_000
/** The most names in one line; the others are counted. */
const MOST_NAMED = 3

type PresenceProps = {
  readonly kind: 'ticket' | 'user' | 'service' | 'order' | 'invoice'
  readonly id: string
  /** Whether the reader is writing a reply. */
  readonly isWriting?: boolean
}
type Other = { readonly id: string; readonly name: string; readonly writing: boolean }

// Each event of the stream makes the reads of this name out of date.
const keyOf = ({ kind, id }: PresenceProps) => ['notifications', 'presence', kind, id] as const

/** Reports that the reader has this page open, and shows the other staff who have it open too. */
export function Presence(props: PresenceProps) {
  const others = useOthers(props)
  return (
    <span role="status" className="row wrap presence">
      {others.length > 0 ? (
        <Suspense>
          <Others others={others} />
        </Suspense>
      ) : null}
    </span>
  )
}

/** The other staff who are writing a reply, shown beside the field for it. `Presence` announces them. */
export function Writers(props: PresenceProps) {
  const { data } = useQuery<{ others: Other[] }>({ queryKey: keyOf(props), queryFn: skipToken })
  const writing = data?.others.filter((it) => it.writing) ?? []
  if (writing.length === 0) return null
  return (
    <Suspense>
      <Line as="writing" others={writing} />
    </Suspense>
  )
}

function Others({ others }: { others: readonly Other[] }) {
  const writing = others.filter((it) => it.writing)
  const reading = others.filter((it) => !it.writing)
  return (
    <>
      <span className="row" aria-hidden>
        {others.slice(0, MOST_NAMED).map(({ id, name }) => (
          <Avatar key={id} name={name} size={24} />
        ))}
      </span>
      {writing.length > 0 ? <Line as="writing" others={writing} /> : null}
      {reading.length > 0 ? <Line as="here" others={reading} /> : null}
    </>
  )
}

function Line({ as, others }: { as: 'writing' | 'here'; others: readonly Other[] }) {
  const { views } = useAdminTexts()
  const names = others.slice(0, MOST_NAMED).map(({ name }) => name)
  const more = others.length - names.length
  const all = more > 0 ? [...names, views.more(more)] : names
  return (
    <span className={as === 'writing' ? 'strong' : undefined}>{views[as](all.join(', '))}</span>
  )
}

/** Sends the report at once, every 25 seconds while the tab is visible, and whenever the reader begins or stops writing. */
function useOthers({ kind, id, isWriting = false }: PresenceProps): readonly Other[] {
  const writing = useRef(isWriting)
  const { data, isError, refetch } = useQuery({
    queryKey: keyOf({ kind, id }),
    queryFn: async ({ signal }): Promise<{ others: Other[] }> => {
      // The page is still there in the moment in which its reader begins to view the shop as a customer.
      if (isViewing()) return { others: [] }
      const body = { kind, id, writing: writing.current }
      return answerOf(client.PUT('/v1/admin/presence', { body, signal }))
    },
    staleTime: 0,
    gcTime: 0,
    // A page that its reader may no longer read is not reported again.
    refetchInterval: ({ state: { error } }) =>
      error instanceof MoorageError && error.status < 429 ? false : BEAT_MS,
    refetchOnWindowFocus: 'always',
  })
  useEffect(() => {
    if (writing.current === isWriting) return
    writing.current = isWriting
    void refetch()
  }, [isWriting, refetch])
  useEffect(() => {
    const leave = () => {
      if (isViewing()) return
      const query = { kind, id }
      // Outlives the page. Where it fails, presence ends by itself.
      client.DELETE('/v1/admin/presence', { params: { query }, keepalive: true }).catch(() => {})
    }
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [kind, id])
  return isError ? [] : (data?.others ?? [])
}
