import { pageAssets } from '#platform/pages/assets.ts'
import { type PageDocument, pageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { shopLink } from '#platform/pages/logo.ts'
import { lookOf, type ShownBrand } from '#tenants'

/** The brand and the language of a page. */
export type Setting = { brand: ShownBrand; locale: string }

type Content = {
  title: string
  /** Under the title. */
  lead?: string | null
  body: Html
  /** URLs to which the response to a form of this page may redirect a browser. */
  leadsTo?: readonly string[]
  /** Whether the page offers a passkey, which needs a script. */
  scripted?: boolean
}

/** A page in the look of the shop's own sign-in; it works without scripts. */
export function pageOf(
  { brand, locale }: Setting,
  { title, lead = null, body, leadsTo = [], scripted = false }: Content,
): PageDocument {
  const look = lookOf(brand, locale)
  const { pathStyle: style, passkeyScript } = pageAssets()
  return pageDocument(look, {
    ...{ title, style, script: scripted ? passkeyScript : null, leadsTo },
    head: html`<meta name="robots" content="noindex">`,
    body: html`<div class="page"><header class="head">${shopLink(look, 28)}</header>
<main id="main" class="small"><div class="intro"><h1>${title}</h1>${lead === null ? null : html`<p class="dim">${lead}</p>`}</div>
${body}</main>
${brand.legalFooter ? html`<footer class="foot dim lines">${brand.legalFooter}</footer>` : null}</div>`,
  })
}
