import { createHash } from 'node:crypto'
import { type Asset, pageAssets } from './assets.ts'
import { brandStyle } from './colors.ts'
import { Html, html } from './html.ts'

/** The brand and the language of a page. */
export type PageLook = {
  readonly shop: string
  readonly color: string | undefined
  readonly locale: string
  /** The URL of the logo: a path of our own, or an https address. Null for none. */
  readonly logoUrl: string | null
  /** The path of the logo in the dark scheme; null if the logo is for both. */
  readonly darkLogoUrl: string | null
  /** The path of the icon in browser tabs; null if the logo is the icon. */
  readonly faviconUrl: string | null
}

export type PageContent = {
  readonly title: string
  readonly body: Html
  /** Null if the page has its styles inline, and further ones in its body. */
  readonly style: Pick<Asset, 'url'> | null
  /** Null for a page without a script of its own. */
  readonly script: Pick<Asset, 'url'> | null
  /** Further elements of the head. */
  readonly head?: Html | null
  readonly htmlClass?: string
  /** Added to the colours of the brand. */
  readonly inlineStyle?: string
  /** Allows style elements that the page's script adds later. */
  readonly nonce?: string | null
  /** URLs at other origins to which the response to a form of this page may redirect a browser. */
  readonly leadsTo?: readonly string[]
}

/** A page with its headers. */
export type PageDocument = {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** The URL to which browsers report violations of a page's content security policy. */
export const POLICY_REPORTS = '/v1/policy-violations'

/** The URL of the icon for a shop without a logo. */
export const ICON = '/favicon.svg'

/**
 * Sets the colour scheme before anything is painted: the one that the user has chosen here, else that of their system.
 */
const SCHEME =
  "(function(){var d=document.documentElement,s;try{s=localStorage.getItem('scheme')}catch(e){}d.classList.add('js');if(s!=='dark'&&s!=='light')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';d.setAttribute('data-mantine-color-scheme',s)})()"
const SCHEME_SOURCE = sourceOf(SCHEME)

/** Shows the logo of the scheme; on a page without scripts, the light one. */
const TWO_LOGOS =
  'html[data-mantine-color-scheme=dark] .light-logo,html:not([data-mantine-color-scheme=dark]) .dark-logo{display:none}'

/** A whole page under a policy that allows our own files, the brand's colours, and nothing else. */
export function pageDocument(
  { shop, color, locale, logoUrl, darkLogoUrl, faviconUrl }: PageLook,
  content: PageContent,
): PageDocument {
  const {
    title,
    body,
    style,
    script,
    head = null,
    htmlClass = '',
    nonce = null,
    leadsTo = [],
  } = content
  const { font } = pageAssets()
  const brand = brandStyle(color) + (darkLogoUrl ? TWO_LOGOS : '') + (content.inlineStyle ?? '')
  const document = html`<!DOCTYPE html>
<html lang="${locale}"${htmlClass ? html` class="${htmlClass}"` : null}>
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title === shop ? shop : `${title} · ${shop}`}</title>
<link rel="icon" href="${faviconUrl ?? logoUrl ?? ICON}"><link rel="preload" as="font" type="font/woff2" href="${font.url}" crossorigin>
<script>${new Html(SCHEME)}</script>
<style>${new Html(brand)}</style>
${style ? html`<link rel="stylesheet" href="${style.url}">` : null}${script ? html`<script src="${script.url}" type="module"></script>` : null}
${head}
</head>
<body>${body}</body>
</html>
`
  return {
    html: document.text,
    headers: {
      'content-security-policy': policyOf({ brand, logoUrl, nonce, leadsTo }),
      // Browsers send no origin with a form unless the policy allows it, and our origin is checked.
      'referrer-policy': 'same-origin',
      'content-language': locale,
    },
  }
}

type Sources = {
  brand: string
  logoUrl: string | null
  nonce: string | null
  leadsTo: readonly string[]
}

/** Browsers apply `form-action` also to the redirects that follow a form, so it lists their targets. */
function policyOf({ brand, logoUrl, nonce, leadsTo }: Sources): string {
  const later = nonce ? ` 'nonce-${nonce}'` : ''
  const logo = logoUrl?.startsWith('https://') ? ` ${new URL(logoUrl).origin}` : ''
  const targets = leadsTo.map(originIn).filter((it) => it !== null)
  return [
    "default-src 'none'",
    `script-src 'self' ${SCHEME_SOURCE}`,
    `style-src 'self' ${sourceOf(brand)}${later}`,
    `img-src 'self'${logo}`,
    "font-src 'self'",
    "connect-src 'self'",
    ["form-action 'self'", ...new Set(targets)].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `report-uri ${POLICY_REPORTS}`,
  ].join('; ')
}

/** The source of a policy that allows a URL; null if it is none. */
function originIn(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin, protocol, hostname } = new URL(url)
  // A content security policy cannot contain an IPv6 address.
  return hostname.startsWith('[') ? protocol : origin
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
