import { createHash } from 'node:crypto'
import { type Asset, pageAssets } from './assets.ts'
import { brandStyle } from './colors.ts'
import { Html, html } from './html.ts'

/** In whose look a page is, and in which language. */
export type PageLook = {
  readonly shop: string
  readonly color: string | undefined
  readonly locale: string
  /** Where the logo is: a path of our own, or an https address. Null for none. */
  readonly logoUrl: string | null
}

export type PageContent = {
  readonly title: string
  readonly body: Html
  /** Null where the page has its styles inline, and further ones in its body. */
  readonly style: Pick<Asset, 'url'> | null
  readonly script: Pick<Asset, 'url'>
  /** Further elements of the head. */
  readonly head?: Html | null
  readonly htmlClass?: string
  /** Stands with the colours of the brand. */
  readonly inlineStyle?: string
  /** Lets in style elements that the page's script adds later. */
  readonly nonce?: string | null
}

/** A page, and the headers that go with it. */
export type PageDocument = {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** Where the sign of a shop without a logo is. */
export const ICON = '/favicon.svg'

/** Sets the colours before anything is painted: what the person chose here, else what their system says. */
const SCHEME =
  "(function(){var d=document.documentElement,s;try{s=localStorage.getItem('scheme')}catch(e){}d.classList.add('js');if(s!=='dark'&&s!=='light')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';d.setAttribute('data-mantine-color-scheme',s)})()"
const SCHEME_SOURCE = sourceOf(SCHEME)

/** A whole page under a policy that allows our own files, the brand's colours, and nothing else. */
export function pageDocument(
  { shop, color, locale, logoUrl }: PageLook,
  content: PageContent,
): PageDocument {
  const { title, body, style, script, head = null, htmlClass = '', nonce = null } = content
  const { font } = pageAssets()
  const brand = brandStyle(color) + (content.inlineStyle ?? '')
  const document = html`<!DOCTYPE html>
<html lang="${locale}"${htmlClass ? html` class="${htmlClass}"` : null}>
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title === shop ? shop : `${title} · ${shop}`}</title>
<link rel="icon" href="${logoUrl ?? ICON}"><link rel="preload" as="font" type="font/woff2" href="${font.url}" crossorigin>
<script>${new Html(SCHEME)}</script>
<style>${new Html(brand)}</style>
${style ? html`<link rel="stylesheet" href="${style.url}">` : null}<script src="${script.url}" type="module"></script>
${head}
</head>
<body>${body}</body>
</html>
`
  return {
    html: document.text,
    headers: {
      'content-security-policy': policyOf({ brand, logoUrl, nonce }),
      // Browsers name no origin with a form unless the policy lets them, and ours is checked.
      'referrer-policy': 'same-origin',
      'content-language': locale,
    },
  }
}

type Sources = { brand: string; logoUrl: string | null; nonce: string | null }

function policyOf({ brand, logoUrl, nonce }: Sources): string {
  const later = nonce ? ` 'nonce-${nonce}'` : ''
  const logo = logoUrl?.startsWith('https://') ? ` ${new URL(logoUrl).origin}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' ${SCHEME_SOURCE}`,
    `style-src 'self' ${sourceOf(brand)}${later}`,
    `img-src 'self'${logo}`,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
