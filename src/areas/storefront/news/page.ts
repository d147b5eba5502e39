import type { PageDocument } from '#platform/pages/document.ts'
import { html } from '#platform/pages/html.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'

export type News = {
  readonly id: string
  readonly language: string
  readonly title: string
  readonly body: string
  readonly link: string | null
  readonly publishedAt: string
}

type Shown = { readonly data: readonly News[]; readonly nextCursor: string | null }

/** The public announcements of the shop, the last published first. */
export function newsPage(visit: Visit, { data, nextCursor }: Shown): PageDocument {
  const { texts } = visit
  const { newsPage: own } = texts
  const entries = data.map(({ id, language, title, body, link, publishedAt }) => {
    const foreign = language === texts.locale ? null : html` lang="${language}"`
    const parts = body.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)
    return html`<section id="${id}"><h2${foreign}>${title}</h2><p><time datetime="${publishedAt}">${formatsOf(texts).day(publishedAt)}</time></p><div${foreign}>${parts}</div>${link ? html`<p><a href="${link}" aria-label="${own.read}: ${title}">${own.read}</a></p>` : null}</section>`
  })
  const older = nextCursor
    ? html`<p class="more"><a href="/news?${new URLSearchParams({ cursor: nextCursor }).toString()}">${own.more}</a></p>`
    : null
  const body = html`<div class="wrap pagehead"><h1 class="h">${entries.length > 0 ? own.title : own.empty}</h1>${entries.length > 0 ? null : html`<p class="lead">${own.emptyHint}</p>`}</div>
<div class="wrap prose one"><article>${entries}${older}</article></div>`
  return storePage(visit, { title: own.title, body })
}
