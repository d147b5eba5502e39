import { LOCALES, languageName, regionOf } from '#lib/languages.ts'
import { pageAssets } from '#platform/pages/assets.ts'
import { type PageDocument, pageDocument } from '#platform/pages/document.ts'
import { Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { shopLink } from '#platform/pages/logo.ts'
import { LEGAL_KINDS, type LegalKind } from '#tenants'
import type { Visit } from '../visit.ts'
import type { Picture } from './emblems.ts'
import { formatsOf } from './formats.ts'

type Category = { readonly slug: string; readonly name: string }

export type StorePage = {
  readonly title: string
  readonly body: Html
  readonly description?: string | null
  readonly categories?: readonly Category[]
  /** Structured data of the page (schema.org). */
  readonly structured?: readonly object[]
  readonly indexed?: boolean
  /** The canonical URL, if the page has several. */
  readonly canonical?: string
  /** The paths of the page in the languages that it has; without them it has one in all languages of the shop. */
  readonly alternates?: readonly { readonly language: string; readonly path: string }[]
  /** The picture of what the page shows, for link previews; the logo if there is none. */
  readonly image?: Picture | null
  /** The path of the page's Atom feed. */
  readonly feed?: string
}

/** A page of the shop window: with the way to games, cart and account at the top. */
export function storePage(visit: Visit, page: StorePage): PageDocument {
  const { texts } = visit
  const { title, body, categories = [] } = page
  const { storeStyle: style, storeScript: script } = pageAssets()
  const help = visit.hasHelp ? html`<a href="/help">${texts.helpPage.title}</a>` : null
  const links = html`<a href="/#games">${texts.games}</a>${help}`
  const account = visit.session
    ? html`<a class="quiet account" href="/home">${texts.accountLink}</a>`
    : html`<a class="quiet account" href="/sign-in">${texts.signIn}</a>`
  return pageDocument(visit.look, {
    ...{
      title,
      style,
      script,
      head: html`${headOf(visit, page)}${page.feed ? html`<link rel="alternate" type="application/atom+xml" href="${page.feed}">` : null}`,
    },
    body: html`<a class="skip" href="#main">${texts.skip}</a>${testFrame(visit)}
<header class="top"><div class="wrap bar">${shopLink(visit.look, 28)}
<nav aria-label="${texts.main}">${links}</nav>
<div class="end">${languageChoice(visit, 'over')}<button type="button" class="quiet round js-only" id="scheme" aria-label="${texts.scheme}">${icon('moon', 18)}</button>${account}${cartLink(visit)}${phoneMenu(visit)}</div>
</div></header>
${referralQuestion(visit)}<main id="main" tabindex="-1">${awayNotice(visit, 'problem', 'wrap')}${body}</main>
<footer><div class="wrap foot"><div>${shopLink(visit.look, 24)}${visit.legalFooter ? html`<p class="legal-footer">${visit.legalFooter}</p>` : null}</div><nav aria-label="${texts.games}">${categories.map(({ slug, name }) => html`<a href="/${slug}">${name}</a>`)}${help}${visit.hasStatus ? html`<a href="/status">${texts.statusPage.title}</a>` : null}<a href="/news">${texts.newsPage.title}</a>${ownLinks(visit)}${legalLinks(visit)}${visit.session ? signOut(visit) : html`<a href="/sign-in">${texts.signIn}</a>`}${languageChoice(visit)}</nav>${countryLink(visit)}</div></footer>`,
  })
}

/**
 * The language of the page, and a list of all of them that works without script: each has an address of its own.
 * `over` lays the list over the page.
 */
function languageChoice({ texts, path, look }: Visit, place = ''): Html {
  const links = LOCALES.map(
    (it) =>
      html`<li><a href="${path}?lang=${it}" hreflang="${it}" lang="${it}"${it === look.locale ? html` aria-current="true"` : null}>${languageName(it)}</a></li>`,
  )
  return html`<details class="langs ${place}"><summary><span class="vh">${texts.language}: </span>${languageName(look.locale)}${icon('down', 16)}</summary><ul>${links}</ul></details>`
}

/** The menu with what does not fit into the header on a phone: the games, the account, the languages. */
function phoneMenu({ texts, path, look, session, hasHelp }: Visit): Html {
  const languages = LOCALES.map(
    (it) =>
      html`<a href="${path}?lang=${it}" hreflang="${it}" lang="${it}"${it === look.locale ? html` aria-current="true"` : null}>${languageName(it)}</a>`,
  )
  const account = session
    ? html`<a href="/home">${texts.accountLink}</a>`
    : html`<a href="/sign-in">${texts.signIn}</a>`
  return html`<details class="burger"><summary aria-label="${texts.menu}">${icon('menu', 22)}</summary><div class="burger-list"><a href="/#games">${texts.games}</a>${hasHelp ? html`<a href="/help">${texts.helpPage.title}</a>` : null}${account}<div class="burger-langs" role="group" aria-label="${texts.language}">${languages}</div></div></details>`
}

/** The script shows it in place of a form that it could not send: what was typed stays on the page. */
function awayNotice({ texts }: Visit, className: string, place = ''): Html {
  const { unreachable, kept } = texts.problem
  return html`<div class="${place}" id="away" tabindex="-1" role="alert" hidden><div class="${className}">${icon('alert', 16)}<div><p><strong>${unreachable}</strong></p><p>${kept}</p></div></div></div>`
}

function signOut({ texts }: Visit): Html {
  return html`<form method="post" action="/sign-out"><button>${texts.signOut}</button></form>`
}

/** The coloured frame of test mode around the page, and the sentence that explains it. */
function testFrame({ texts, testMode }: Visit): Html | null {
  if (!testMode) return null
  const { title, text } = texts.testMode
  return html`<aside class="test-bar" aria-label="${title}"><strong>${title}</strong> ${text}</aside><div class="test-frame" aria-hidden="true"></div>`
}

/** Asks a visitor of an affiliate link whether it may be stored. Without an answer, nothing is stored. */
function referralQuestion({ texts, referral, path }: Visit): Html | null {
  if (referral === null) return null
  const { question, accept, decline } = texts.referral
  return html`<form class="wrap consent-bar" method="post" action="/r" aria-label="${question}"><input type="hidden" name="code" value="${referral}"><input type="hidden" name="next" value="${path}"><p>${question}</p><div class="row"><button class="button small">${accept}</button><a class="button small plain" href="${path}">${decline}</a></div></form>
`
}

/** The link to the cart with the number of items; on a phone, it shows only the word and the number. */
function cartLink({ texts, selection, cartUnits }: Visit): Html {
  const chosen = selection.items.reduce((sum, { quantity }) => sum + quantity, 0)
  const count = cartUnits ?? chosen
  if (count === 0) return html`<a class="button small" href="/cart">${texts.cart}</a>`
  const label = texts.cartOf(count)
  return html`<a class="button small" href="/cart" aria-label="${label}"><span class="wide">${label}</span><span class="tight">${texts.cart} <b>${count}</b></span></a>`
}

/** Metadata for search engines and link previews: the URL for each language, and the Open Graph card. */
function headOf(visit: Visit, page: StorePage): Html {
  const { look, origin, texts } = visit
  const { title, description, structured = [], indexed = true, image, alternates } = page
  const described = description ? html`<meta name="description" content="${description}">` : null
  if (!indexed) return html`${described}<meta name="robots" content="noindex">`
  const canonical = page.canonical ?? visit.path
  const address = origin + canonical
  const translations =
    alternates ?? LOCALES.map((language) => ({ language, path: `${canonical}?lang=${language}` }))
  const languages = translations.map(
    (it) => html`<link rel="alternate" hreflang="${it.language}" href="${origin}${it.path}">`,
  )
  const data = structured.map(
    (it) => html`<script type="application/ld+json">${new Html(scriptText(it))}</script>`,
  )
  return html`${described}<link rel="canonical" href="${address}">${languages}<link rel="alternate" hreflang="x-default" href="${alternates ? origin + visit.path : address}">
<meta property="og:type" content="website"><meta property="og:site_name" content="${look.shop}"><meta property="og:title" content="${title}"><meta property="og:url" content="${address}"><meta property="og:locale" content="${regionOf(look.locale).replace('-', '_')}"><meta property="og:description" content="${description ?? texts.home.lead}">${cardOf(visit, image)}${data}`
}

/** The picture of a link preview, with its absolute address: the one of the page, else the logo. */
function cardOf({ look, origin }: Visit, image: Picture | null | undefined): Html {
  const shown = image?.url ?? look.logoUrl
  const address = shown?.startsWith('/') ? origin + shown : shown
  const about = image
    ? html`<meta property="og:image:width" content="${image.width}"><meta property="og:image:height" content="${image.height}"><meta property="og:image:alt" content="${image.alt ?? ''}">`
    : null
  return html`<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">${address ? html`<meta property="og:image" content="${address}">${about}` : null}`
}

/** JSON escaped for a script element: it cannot close the element or open another one. */
function scriptText(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

/** The links of the shop, and its support address. */
function ownLinks({ links, supportAddress }: Visit): Html[] {
  const shown = links.map(({ label, url }) => html`<a href="${url}" rel="noopener">${label}</a>`)
  const mail = supportAddress && html`<a href="mailto:${supportAddress}">${supportAddress}</a>`
  return mail ? [...shown, mail] : shown
}

/** The legal pages that this shop has. */
function legalLinks({ texts, legalVersions }: Visit): Html[] {
  const shown = LEGAL_KINDS.filter((kind) => legalVersions.has(kind) || ALWAYS_THERE.has(kind))
  return shown.map((kind) => html`<a href="/${kind}">${texts.legalPages[kind]}</a>`)
}

/** The legal notice and the withdrawal page exist without a text of the shop. */
const ALWAYS_THERE: ReadonlySet<LegalKind> = new Set(['legal', 'withdraw'])

/** The country of the prices, and a link to change it; customers have their country in their account. */
function countryLink({ texts, pricing, path, session }: Visit): Html {
  const name = formatsOf(texts).country(pricing.country)
  const said = pricing.taxed ? texts.pricesFor(name) : texts.pricesIn(name)
  const link = html` <a href="/country?${new URLSearchParams({ next: path }).toString()}">${texts.change}</a>`
  return html`<p class="end">${said}${session ? null : link}</p>`
}

export type QuietPage = {
  readonly title: string
  readonly body: Html
  /** Shown at the right of the head. */
  readonly end?: Html | null
  readonly main?: 'small' | 'narrow'
  /** The URL that a browser without scripts loads again every five seconds. */
  readonly again?: string | null
  /** Further elements of the head. */
  readonly head?: Html | null
  readonly htmlClass?: string
}

/** A page on which one thing is done: sign-in, checkout, payment, set-up. */
export function quietPage(visit: Visit, page: QuietPage): PageDocument {
  const { texts, look } = visit
  const { title, body, end = null, main = '', again = null, head = null, htmlClass = '' } = page
  const { pathStyle: style, pathScript: script } = pageAssets()
  return pageDocument(look, {
    ...{ title, style, script, htmlClass },
    head: html`<meta name="robots" content="noindex">${again ? html`<noscript><meta http-equiv="refresh" content="5;url=${again}"></noscript>` : null}${head}`,
    body: html`<div class="page"><a class="skip" href="#main">${texts.skip}</a>${testFrame(visit)}
<header class="head">${shopLink(visit.look, 28)}${end ? html`<div class="end">${end}</div>` : null}</header>
<main id="main" tabindex="-1" class="${main}">${awayNotice(visit, 'notice t-failed big')}${body}${again ? html`<p class="sub mid below" id="lost" hidden>${texts.offline}</p>` : null}<p class="vh" id="say" role="status"></p></main>
<footer class="foot">${ownLinks(visit)}${legalLinks(visit)}${languageChoice(visit)}</footer></div>`,
  })
}

/** A page with one message and a link to continue. */
export function messagePage(
  visit: Visit,
  { title, lead, to, link }: { title: string; lead: string; to: string; link: string },
): PageDocument {
  return quietPage(visit, {
    ...{ title, main: 'small' },
    body: html`<div class="intro"><h1>${title}</h1><p class="dim">${lead}</p></div>
<p><a class="button full" href="${to}">${link}</a></p>`,
  })
}
