import type { Instant } from '#lib/time.ts'
import type { PaypalApi } from './client.ts'
import { noAnswer } from './errors.ts'
import { type WebhookEvent, WebhookEvents } from './schema.ts'

const PAGE_SIZE = 100

/** PayPal's own log of events, newest first; it reaches back 30 days. */
export async function* eventsSince(api: PaypalApi, since: Instant): AsyncGenerator<WebhookEvent> {
  const from = new URLSearchParams({ page_size: String(PAGE_SIZE), start_time: since })
  let next: string | undefined = `/v1/notifications/webhooks-events?${from}`
  while (next !== undefined) {
    const { events, links }: { events?: WebhookEvent[] | null; links?: Links } = await api.read(
      next,
      WebhookEvents,
    )
    yield* events ?? []
    next = pathIn(links?.find(({ rel }) => rel === 'next')?.href)
  }
}

type Links = { href: string; rel: string }[] | null

/** The path of the next page, only if its address is PayPal's own. */
function pathIn(href: string | undefined): string | undefined {
  if (href === undefined) return undefined
  const { pathname, search } = new URL(href)
  if (pathname !== '/v1/notifications/webhooks-events') {
    throw noAnswer(false, 'the next page is not in the API')
  }
  return `${pathname}${search}`
}
