import { liveEvents } from '@moorage/client'
import type { QueryClient } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { isViewing } from '../api/session.ts'

/** The reads that a notification of a kind makes out of date, by the first word of their keys. */
const CHANGED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^ticket_/, ['tickets', 'ticket', 'admin-tickets']],
  [/service|upgrade|renewal|suspen/, ['services', 'service', 'summary']],
  [
    /invoice|payment|refund|credit|renewal/,
    ['invoices', 'invoice', 'credit', 'payments', 'summary'],
  ],
]

/**
 * Follows the notifications while the tab is visible, and invalidates the reads that they are about. Returns a
 * function that stops it. Without a stream, each read is only refreshed when its screen is opened.
 */
export function followEvents(queries: QueryClient): () => void {
  // The stream is only for the customer.
  if (isViewing()) return () => {}
  let following: AbortController | null = null
  const follow = async (signal: AbortSignal) => {
    for await (const event of liveEvents(client, { signal })) {
      if (event.type === 'unread') {
        queries.setQueryData(['notifications', 'unread'], { count: event.count })
      } else {
        const kind = event.type === 'notification' ? event.notification.kind : ''
        const names = CHANGED.flatMap(([kinds, keys]) => (kinds.test(kind) ? keys : []))
        const changed = event.type === 'reset' ? null : ['notifications', ...names]
        await queries.invalidateQueries({
          predicate: ({ queryKey: [name] }) => changed === null || changed.includes(String(name)),
        })
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
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    following?.abort()
  }
}
