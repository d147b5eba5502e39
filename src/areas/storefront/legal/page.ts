import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { renderMarkdown } from '#platform/pages/markdown.ts'
import type { LegalKind } from '#tenants'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'

export type LegalText = {
  readonly kind: LegalKind
  readonly version: number
  readonly language: string
  readonly text: string
  readonly publishedAt: string
}

export type Imprint = {
  readonly name: string
  readonly address: {
    readonly line1: string
    readonly line2: string | null
    readonly postcode: string | null
    readonly city: string
    readonly country: string
  }
  readonly email: string | null
  readonly vatNumber: string | null
  readonly registerNumber: string | null
}

type Shown = {
  readonly kind: LegalKind
  readonly text: LegalText | null
  readonly seller: Imprint | null
}

/** A legal page: the text of the shop, and details that are known without it. */
export function legalPage(visit: Visit, { kind, text, seller }: Shown): PageDocument {
  const { texts, legalVersions } = visit
  const own = texts.legalText
  const title = texts.legalPages[kind]
  const rendered = text ? renderMarkdown(text.text) : null
  const older = text !== null && text.version !== legalVersions.get(kind)
  const day = text ? formatsOf(texts).day(text.publishedAt) : null
  const contents =
    rendered && rendered.headings.length > 2
      ? html`<nav aria-label="${own.contents}"><b>${own.contents}</b><ol>${rendered.headings.map(({ id, text: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ol></nav>`
      : html`<span></span>`
  const foreign = text && text.language !== texts.locale ? html` lang="${text.language}"` : null
  const body = html`<div class="wrap pagehead"><h1 class="h">${title}</h1>${day ? html`<p class="lead">${own.published(day)}${older ? html`. ${own.older} <a href="/${kind}">${own.current}</a>` : null}</p>` : null}</div>
<div class="wrap prose">${contents}<article${foreign}>${rendered?.html ?? null}${knownOf(visit, { kind, seller })}</article></div>`
  return storePage(visit, { title, body, canonical: `/${kind}`, indexed: !older })
}

function knownOf(visit: Visit, { kind, seller }: Pick<Shown, 'kind' | 'seller'>): Html | null {
  const own = visit.texts.legalText
  if (kind === 'legal') return imprint(visit, seller)
  if (kind !== 'withdraw') return null
  return html`<section lang="${visit.texts.locale}"><h2>${own.withdrawHow}</h2><p>${own.withdrawText}</p><p><a class="button" href="/servers">${own.withdrawLink}</a></p></section>`
}

function imprint({ texts }: Visit, seller: Imprint | null): Html {
  const own = texts.legalText
  if (!seller) return html`<section lang="${texts.locale}"><p>${own.noSeller}</p></section>`
  const { name, address, email, vatNumber, registerNumber } = seller
  const city = [address.postcode, address.city].filter((it) => it !== null).join(' ')
  const country = formatsOf(texts).country(address.country)
  const lines = [name, address.line1, address.line2, city, country].filter((it) => it !== null)
  const facts = [
    ...(email ? [html`<p><a href="mailto:${email}">${email}</a></p>`] : []),
    ...(vatNumber ? [html`<p>${own.vatNumber} ${vatNumber}</p>`] : []),
    ...(registerNumber ? [html`<p>${own.registerNumber} ${registerNumber}</p>`] : []),
  ]
  return html`<section lang="${texts.locale}"><h2>${own.seller}</h2><p>${lines.map((line) => html`${line}<br>`)}</p>${facts}</section>`
}
