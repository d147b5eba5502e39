import { liveEvents } from '@moorage/client'
import type { QueryClient } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { isViewing } from '../api/session.ts'

/** The reads that a notification of a kind makes out of date, by the first word of their keys. */
const CHANGED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^ticket_/, ['tickets', 'ticket', 'admin-tickets']],
  [/^(?:incident|maintenance)_/, ['incidents']],
  [/service|upgrade|renewal|suspen/, ['services', 'service', 'summary']],
  [
    /invoice|payment|refund|credit|renewal/,
    ['invoices', 'invoice', 'credit', 'payments', 'summary'],
  ],
]

/** How often the same reads are refreshed while the stream of notifications is not available. */
const POLL_MS = 15_000

/**
 * Follows the notifications while the tab is visible, and invalidates the reads that they are about. Without a
 * stream, it invalidates all of these reads every 15 seconds. Returns a function that stops it.
 */
export function followEvents(queries: QueryClient): () => void {
  // The stream is only for the customer.
  if (isViewing()) return () => {}
  let following: AbortController | null = null
  let isConnected = false
  const invalidate = (names: readonly string[] | null) =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [name] }) => names === null || names.includes(String(name)),
    })
  const connected = (now: boolean) => {
    isConnected = now
  }
  const follow = async (signal: AbortSignal) => {
    for await (const event of liveEvents(client, { signal, connected })) {
      if (event.type === 'unread') {
        queries.setQueryData(['notifications', 'unread'], { count: event.count })
      } else {
        const kind = event.type === 'notification' ? event.notification.kind : ''
        const names = CHANGED.flatMap(([kinds, keys]) => (kinds.test(kind) ? keys : []))
        await invalidate(event.type === 'reset' ? null : ['notifications', ...names])
      }
    }
  }
  const look = () => {
    if (document.hidden) {
      following?.abort()
      following = null
    } else if (!following) {
      following = new AbortController()
      follow(following.signal).catch(() => {
        following = null
      })
    }
  }
  const poll = () => {
    if (!isConnected && !document.hidden) {
      void invalidate(['notifications', ...CHANGED.flatMap(([, keys]) => keys)])
    }
  }
  look()
  const polling = setInterval(poll, POLL_MS)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(polling)
    document.removeEventListener('visibilitychange', look)
    following?.abort()
  }
}
