import { createHash } from 'node:crypto'
import { pageAssets } from '#platform/pages/assets.ts'
import { Html, html } from '#platform/pages/html.ts'
import { type Brand, logoUrlOf, type ShownBrand } from '#tenants'

/** The brand and the language of a page. */
export type Setting = { brand: ShownBrand; locale: string }

/** A page, and its headers. */
export type Page = { html: string; headers: Readonly<Record<string, string>> }

type Content = {
  title: string
  body: Html
  /** Addresses that the answer to a form of this page may redirect a browser to. */
  leadsTo?: readonly string[]
  /** Whether the page offers a passkey, which needs our one script. */
  scripted?: boolean
}

const COLOR = /^#[0-9a-f]{6}$/i
const PRIMARY = '#1f5fbf'
const ACCENT = '#123a75'

/**
 * A page in the brand of a shop: no scripts except our own if `scripted`, and nothing from other hosts
 * except the shop's logo.
 */
export function pageOf(
  { brand, locale }: Setting,
  { title, body, leadsTo = [], scripted = false }: Content,
): Page {
  const style = styleOf(brand)
  const logoUrl = logoUrlOf(brand, '')
  const logo = sourceOfLogo(logoUrl)
  const document = html`<!DOCTYPE html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${brand.name}</title>
<style>${new Html(style)}</style>
${scripted ? html`<script src="${pageAssets().passkeyScript.url}" type="module"></script>` : null}
</head>
<body>
<header>${logo && logoUrl ? html`<img src="${logoUrl}" alt="">` : null}<p>${brand.name}</p></header>
<main>
<h1>${title}</h1>
${body}
</main>
${brand.legalFooter ? html`<footer>${brand.legalFooter}</footer>` : null}
</body>
</html>
`
  return {
    html: document.text,
    headers: {
      'content-security-policy': policyOf({ style, logo, leadsTo, scripted }),
      // Browsers send no origin with a form unless the policy allows it, and we check the origin.
      'referrer-policy': 'same-origin',
      'content-language': locale,
    },
  }
}

type Allowed = {
  style: string
  logo: string | null
  leadsTo: readonly string[]
  scripted: boolean
}

/** Browsers apply `form-action` also to the redirects that follow a form, so it lists their targets. */
function policyOf({ style, logo, leadsTo, scripted }: Allowed): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const targets = leadsTo.map(sourceOf).filter((it) => it !== null)
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src ${logo ?? "'none'"}`,
    ...(scripted ? ["script-src 'self'", "connect-src 'self'"] : []),
    ["form-action 'self'", ...new Set(targets)].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

function sourceOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin, protocol, hostname } = new URL(url)
  // A content security policy cannot contain an IPv6 address.
  return hostname.startsWith('[') ? protocol : origin
}

/** The source a page loads its logo from: for an uploaded one, the page's own origin. */
function sourceOfLogo(url: string | null): string | null {
  if (url?.startsWith('/')) return "'self'"
  return url && URL.canParse(url) && url.startsWith('https://') ? new URL(url).origin : null
}

function styleOf({ primaryColor, accentColor }: Brand): string {
  const primary = colorOf(primaryColor, PRIMARY)
  const accent = colorOf(accentColor, ACCENT)
  return `
*{box-sizing:border-box}
body{margin:0;background:#f3f4f6;color:#1b1f24;font:16px/1.5 system-ui,sans-serif}
header,main,footer{max-width:26rem;margin:0 auto;padding:1.5rem}
header{display:flex;align-items:center;gap:.75rem;padding-bottom:0;color:${accent};font-weight:600}
header img{max-height:3rem;max-width:10rem}
main{background:#fff;border-top:4px solid ${primary};border-radius:.5rem;margin-top:1rem}
h1{font-size:1.4rem;line-height:1.3;margin:0 0 1rem}
label{display:block;margin:0 0 1rem}
input{display:block;width:100%;padding:.6rem;border:1px solid #8b929c;border-radius:.3rem;font:inherit}
button{padding:.6rem 1.1rem;border:1px solid ${primary};border-radius:.3rem;background:#fff;
color:#1b1f24;font:inherit;cursor:pointer}
button.first{background:${primary};color:${textOn(primary)}}
form{margin:0 0 .75rem}
.alert{border-left:4px solid #b3261e;padding-left:.75rem}
footer,.small{color:#4c535c;font-size:.875rem;white-space:pre-line;overflow-wrap:anywhere}
`
}

function colorOf(color: string | undefined, fallback: string): string {
  return color && COLOR.test(color) ? color : fallback
}

/** Black or white, whichever has more contrast on a colour (WCAG 2, relative luminance). */
export function textOn(color: string): '#000' | '#fff' {
  const channels = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = channels
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000' : '#fff'
}
