import { randomBytes } from 'node:crypto'
import { pageAssets } from '#platform/pages/assets.ts'
import { type PageDocument, pageDocument } from '#platform/pages/document.ts'
import { Html, html } from '#platform/pages/html.ts'
import type { Visit } from '../visit.ts'
import type { ApplicationFiles } from './files.ts'
import { outline } from './outline.ts'

/** What the application finds in its page (`web/src/api/boot.ts`). */
type Boot = {
  readonly userId: string
  readonly accessToken: string
  /** In seconds. */
  readonly expiresIn: number
  /** The API responses that the screen reads first, by name. */
  readonly answers: Readonly<Record<string, unknown>>
}

/** The files of the application, and which of its modules draw the screen. */
type Scripts = { readonly files: ApplicationFiles; readonly modules: readonly string[] }

/**
 * The page that starts the application: its outline, its files, the shop's look, what its screen reads first, and an
 * access token, so that a reload needs no refresh. It is created for one person and never cached.
 */
export function applicationPage(
  visit: Visit,
  { files, modules }: Scripts,
  boot: Boot,
): PageDocument {
  const { look, currency, legalFooter, supportAddress, links, testMode } = visit
  const nonce = randomBytes(16).toString('base64url')
  const data = {
    ...boot,
    ...{ shop: look.shop, locale: look.locale, logoUrl: look.logoUrl },
    darkLogoUrl: look.darkLogoUrl,
    ...{ currency, legalFooter, supportAddress, links, testMode },
  }
  const page = pageDocument(look, {
    ...{ title: look.shop, style: null, script: { url: files.script }, nonce },
    inlineStyle: pageAssets().fontFace + files.inlineStyle,
    head: html`${files.scriptsOf(modules).map((url) => html`<link rel="modulepreload" href="${url}" fetchpriority="low">`)}`,
    // Content before a style sheet in the body is painted without waiting for it; scripts wait for it.
    body: html`<div id="root">${outline(visit)}</div><noscript>${visit.texts.needsScript}</noscript>
${files.styles.map((url) => html`<link rel="stylesheet" href="${url}">`)}
<script type="application/json" id="boot" nonce="${nonce}">${new Html(scriptText(data))}</script>`,
  })
  return {
    html: page.html,
    headers: { ...page.headers, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
  }
}

/** JSON escaped for a script element: it cannot close the element or open another one. */
function scriptText(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
