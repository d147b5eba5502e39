import { html } from '#platform/pages/html.ts'
import type { Visit } from '../visit.ts'
import type { History, ShopStatus, StatusEntry } from './data.ts'

/**
 * The incidents and maintenance of a shop as an Atom feed (RFC 4287). The ids stay when texts and host names change;
 * `updated` is that of the last update.
 */
export function statusFeed(
  { origin, look, texts, now }: Visit,
  { ongoing, planned }: ShopStatus,
  { data }: History,
): string {
  const entries = [...ongoing, ...planned, ...data].sort((one, other) =>
    one.updatedAt < other.updatedAt ? 1 : -1,
  )
  const { title, statuses } = texts.statusPage
  const page = `${origin}/status`
  const entryOf = (it: StatusEntry) =>
    html`<entry><id>urn:uuid:${it.id}</id><title>${it.title}</title><link href="${page}/${it.id}"/><published>${it.startsAt}</published><updated>${it.updatedAt}</updated><category term="${it.status}" label="${statuses[it.status]}"/><content type="text" xml:lang="${it.newest.language}">${it.newest.text}</content></entry>
`
  // An update that is published later is newer than the feed was; without one, it has just been made.
  const updated = entries[0]?.updatedAt ?? now
  return `<?xml version="1.0" encoding="UTF-8"?>
${
  html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${look.locale}"><id>${page}</id><title>${look.shop}: ${title}</title><link href="${page}"/><link rel="self" href="${page}/feed.atom"/><updated>${updated}</updated><author><name>${look.shop}</name></author>
${entries.map(entryOf)}</feed>
`.text
}`
}
