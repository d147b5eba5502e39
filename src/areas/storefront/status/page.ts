import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'
import type { History, ShopStatus, StatusEntry, StatusIncident, StatusUpdate } from './data.ts'

const FEED = '/status/feed.atom'

type Tone = 'active' | 'waiting' | 'attention' | 'failed' | 'ended'

const STATE_TONES: Readonly<Record<ShopStatus['state'], Tone>> = {
  ...{ operational: 'active', maintenance: 'waiting', minor: 'attention' },
  ...{ major: 'failed', critical: 'failed' },
}

const STATUS_TONES: Readonly<Record<StatusEntry['status'], Tone>> = {
  ...{
    investigating: 'failed',
    identified: 'attention',
    monitoring: 'waiting',
    resolved: 'active',
  },
  ...{ scheduled: 'waiting', in_progress: 'attention', completed: 'active', canceled: 'ended' },
}

/** The state of a shop: what goes on, what is planned, and what is over, by month. */
export function statusPage(visit: Visit, status: ShopStatus, history: History): PageDocument {
  const { statusPage: own } = visit.texts
  const sections = [
    ...entries(visit, own.ongoing, status.ongoing),
    ...entries(visit, own.planned, status.planned),
    past(visit, history),
  ]
  const body = html`<div class="wrap pagehead"><h1>${own.title}</h1><p class="lead state t-${STATE_TONES[status.state]}">${own.states[status.state]}</p></div>
<div class="wrap prose one"><article>${sections}<p><a href="${FEED}">${own.feed}</a></p></article></div>`
  return storePage(visit, { title: own.title, description: own.lead, body, feed: FEED })
}

/** A further page of what is over. */
export function historyPage(visit: Visit, history: History): PageDocument {
  const { statusPage: own } = visit.texts
  const body = html`<div class="wrap pagehead"><p><a href="/status">${own.title}</a></p><h1>${own.more}</h1></div>
<div class="wrap prose one"><article>${past(visit, history)}</article></div>`
  return storePage(visit, { title: own.more, body, indexed: false })
}

/** An incident or maintenance with everything that was said of it. */
export function incidentPage(visit: Visit, incident: StatusIncident): PageDocument {
  const { statusPage: own } = visit.texts
  const said = incident.updates.map(
    (it) =>
      html`<section><h2>${own.statuses[it.status]}</h2><p>${timeOf(visit, it.createdAt)}</p>${paragraphs(visit, it)}</section>`,
  )
  const body = html`<div class="wrap pagehead"><p><a href="/status">${own.title}</a></p><h1${foreign(visit, incident.language)}>${incident.title}</h1><p>${statusOf(visit, incident)}</p>${factsOf(visit, incident)}</div>
<div class="wrap prose one"><article>${said}</article></div>`
  return storePage(visit, { title: incident.title, body, feed: FEED })
}

/** A section with what is shown; none without. */
function entries(visit: Visit, title: string, shown: readonly StatusEntry[]): Html[] {
  if (shown.length === 0) return []
  return [html`<section><h2>${title}</h2>${shown.map((it) => entryOf(visit, it))}</section>`]
}

/** What is over, with a heading for each month. */
function past(visit: Visit, { data, nextCursor }: History): Html {
  const { statusPage: own } = visit.texts
  const { month } = formatsOf(visit.texts)
  const months = [...Map.groupBy(data, ({ startsAt }) => month(startsAt))]
  const more = nextCursor
    ? html`<p class="more"><a href="/status?${new URLSearchParams({ cursor: nextCursor }).toString()}">${own.more}</a></p>`
    : null
  const shown = months.map(
    ([name, of]) => html`<h3>${name}</h3>${of.map((it) => entryOf(visit, it, 'h4'))}`,
  )
  return html`<section><h2>${own.past}</h2>${data.length > 0 ? shown : html`<p>${own.nothing}</p>`}${more}</section>`
}

function entryOf(visit: Visit, entry: StatusEntry, level: 'h3' | 'h4' = 'h3'): Html {
  const title = html`<a href="/status/${entry.id}"${foreign(visit, entry.language)}>${entry.title}</a>`
  const heading = level === 'h3' ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`
  return html`<section id="${entry.id}">${heading}<p>${statusOf(visit, entry)} ${timeOf(visit, entry.updatedAt)}</p>${factsOf(visit, entry)}${paragraphs(visit, entry.newest)}</section>`
}

function statusOf({ texts }: Visit, { status }: StatusEntry | StatusIncident): Html {
  return html`<span class="pill t-${STATUS_TONES[status]}">${texts.statusPage.statuses[status]}</span>`
}

/** When it happens, how severe it is, and what it affects. */
function factsOf(visit: Visit, entry: StatusEntry | StatusIncident): Html {
  const { statusPage: own } = visit.texts
  const { time, times } = formatsOf(visit.texts)
  const when = entry.endsAt
    ? times(entry.startsAt, entry.endsAt)
    : `${own.begun} ${time(entry.startsAt)}`
  const names = [...entry.locations, ...entry.products].map(({ name }) => name)
  const affected = entry.gameServers ? [own.gameServers] : names
  const list = affected.length > 0 ? ` · ${own.affects} ${affected.join(', ')}` : ''
  return html`<p>${when} · ${own.impacts[entry.impact]}${list}</p>`
}

function timeOf({ texts }: Visit, instant: string): Html {
  return html`<time datetime="${instant}">${formatsOf(texts).time(instant)}</time>`
}

function paragraphs(visit: Visit, { text, language }: StatusUpdate): Html {
  const parts = text.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)
  return html`<div${foreign(visit, language)}>${parts}</div>`
}

/** Shows the language of a text if it is not that of the page. */
function foreign({ texts }: Visit, language: string): Html | null {
  return language === texts.locale ? null : html` lang="${language}"`
}
