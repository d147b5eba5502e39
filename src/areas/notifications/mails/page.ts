import type { BrandColors } from '#platform/pages/colors.ts'
import { Html, html } from '#platform/pages/html.ts'
import { brandPicturesOf, logoUrlOf, type ShownBrand } from '#tenants'
import type { Letter } from './letter.ts'

type Look = {
  brand: ShownBrand
  origin: string
  colors: Readonly<Record<'light' | 'dark', BrandColors>>
}

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif'
/** The neutral colours; `tokens.css` has the same. */
const LIGHT = {
  ground: '#f5f6f8',
  card: '#ffffff',
  text: '#12141a',
  quiet: '#434958',
  line: '#e7e9ee',
}
const DARK = {
  ground: '#0b0c0f',
  card: '#131418',
  text: '#f1f2f4',
  quiet: '#bbc0ca',
  line: '#25272d',
}
/** Filler that keeps the following text out of the preview next to the subject. */
const FILLER = new Html('&#847;&zwnj;&nbsp;'.repeat(60))

/**
 * The HTML of a mail, for all mail programs: tables for the layout, and inline colours for programs without
 * style sheets. Programs with style sheets get the dark scheme and a layout for narrow screens.
 */
export function pageOf(letter: Letter, look: Look): string {
  const { subject, locale, content, footer } = letter
  const { greeting, paragraphs, after } = content
  const body = html`
${heading(subject)}
${greeting === '' ? null : paragraph(html`${greeting}`)}
${paragraphs.map((text) => paragraph(letter.isLinked ? linked(text, look) : lines(text)))}
${table(letter)}
${button(letter, look)}
${after === null ? null : paragraph(lines(after), 'quiet')}
${fallback(letter, look)}`
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${subject}</title>
<style>${styleOf(look)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:${LIGHT.ground}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheaderOf(letter)}${FILLER}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${LIGHT.ground}">
<tr><td align="center" class="outer" style="padding:32px 16px">
<div role="article" aria-roledescription="email" aria-label="${subject}" lang="${locale}" style="max-width:560px;margin:0 auto;text-align:left;overflow-wrap:anywhere;word-break:break-word">
${header(look)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td class="card" style="padding:32px 32px 16px;background-color:${LIGHT.card};border:1px solid ${LIGHT.line};border-top:4px solid ${look.colors.light.fill};border-radius:8px">${body}
</td></tr>
</table>
${below(footer, look)}
</div>
</td></tr>
</table>
</body>
</html>
`.text
}

/** The preview text that mail programs show next to the subject. */
function preheaderOf({ content: { paragraphs, rows } }: Letter): string {
  const [first] = paragraphs
  return first ?? rows.map(([label, value]) => `${label} ${value}`).join(', ')
}

function header({ brand, origin }: Look): Html {
  const logoUrl = logoUrlOf(brand, origin)
  const name = html`<span class="text" style="${FONT};font-size:18px;font-weight:700;color:${LIGHT.text}">${brand.name}</span>`
  // A logo may be dark on a transparent ground, so its ground stays white in the dark scheme.
  const { darkLogoUrl } = brandPicturesOf(brand, origin)
  const logo = html`<img${darkLogoUrl ? html` class="light-logo"` : null} src="${logoUrl ?? ''}" alt="${brand.name}" height="40" style="display:inline-block;height:40px;max-width:100%;padding:6px 8px;background-color:#ffffff;border:0;border-radius:6px;${FONT};font-size:18px;color:${LIGHT.text}">`
  // Outlook ignores style sheets, so it does not get the second picture at all.
  const dark =
    darkLogoUrl &&
    html`<!--[if !mso]><!--><img class="dark-logo" src="${darkLogoUrl}" alt="${brand.name}" height="40" style="display:none;height:40px;max-width:100%;border:0;${FONT};font-size:18px;color:${DARK.text}"><!--<![endif]-->`
  return html`<div style="padding:0 4px 16px">${logoUrl ? html`${logo}${dark}` : name}</div>`
}

function heading(subject: string): Html {
  return html`<h1 class="text" style="margin:0 0 20px;${FONT};font-size:22px;line-height:1.3;font-weight:700;color:${LIGHT.text}">${subject}</h1>`
}

function paragraph(content: Html, tone: 'text' | 'quiet' = 'text'): Html {
  return html`<p class="${tone}" style="margin:0 0 16px;${FONT};font-size:16px;line-height:1.55;color:${LIGHT[tone]}">${content}</p>
`
}

function table({ content: { rows } }: Letter): Html | null {
  if (rows.length === 0) return null
  const cell = `padding:10px 0;border-top:1px solid ${LIGHT.line};${FONT};font-size:15px;line-height:1.4;vertical-align:top`
  const all = rows.map(
    ([label, value]) => html`<tr>
<th scope="row" class="quiet line" align="left" style="${cell};padding-right:16px;font-weight:400;word-break:normal;overflow-wrap:normal;color:${LIGHT.quiet}">${label}</th>
<td class="text line" align="right" style="${cell};font-weight:600;color:${LIGHT.text}">${value}</td>
</tr>
`,
  )
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;border-collapse:collapse">
${all}</table>`
}

function button({ content: { action } }: Letter, { colors: { light } }: Look): Html | null {
  if (!action) return null
  if (action.label === '') return null
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td class="button" align="center" bgcolor="${light.fill}" style="background-color:${light.fill};border-radius:8px;mso-padding-alt:13px 22px"><a class="on" href="${action.to}" style="display:inline-block;padding:13px 22px;${FONT};font-size:16px;line-height:1.3;font-weight:600;color:${light.on};text-decoration:none">${action.label}</a></td></tr>
</table>`
}

/** The URL of a button as text, for a mail whose only link is its button. */
function fallback({ orOpen, content: { action } }: Letter, look: Look): Html | null {
  if (!action || (orOpen === null && action.label !== '')) return null
  const address = link(action.to, html`${action.to}`, look)
  return html`<p class="quiet" style="margin:0 0 16px;${FONT};font-size:13px;line-height:1.5;color:${LIGHT.quiet}">${orOpen ?? ''}${orOpen === null ? null : html`<br>`}${address}</p>`
}

function below({ legal, why, stop }: Letter['footer'], look: Look): Html {
  const parts = [
    ...(legal === '' ? [] : [lines(legal)]),
    lines(why),
    ...(stop ? [link(stop.url, html`${stop.label}`, look)] : []),
  ]
  const all = parts.map(
    (part) =>
      html`<p class="quiet" style="margin:0 0 10px;${FONT};font-size:13px;line-height:1.5;color:${LIGHT.quiet}">${part}</p>
`,
  )
  return html`<div style="padding:20px 4px 0">${all}</div>`
}

/** Text with its URLs as links: only for text written by the shop. */
function linked(text: string, look: Look): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"']+)/)
  return html`${parts.map((part, at) => (at % 2 === 0 ? lines(part) : link(part, html`${part}`, look)))}`
}

function link(url: string, content: Html, { colors: { light } }: Look): Html {
  return html`<a class="link" href="${url}" style="color:${light.text};text-decoration:underline">${content}</a>`
}

function lines(text: string): Html {
  const all = text.split('\n')
  return html`${all.map((line, at) => (at === 0 ? html`${line}` : html`<br>${line}`))}`
}

/** The dark scheme, and less space around on a phone. */
function styleOf({ colors: { dark } }: Look): Html {
  const rules = `:root{color-scheme:light dark}
@media (max-width:480px){.outer{padding:16px 8px!important}.card{padding:24px 18px 8px!important}}
@media (prefers-color-scheme:dark){
.ground{background-color:${DARK.ground}!important}
.card{background-color:${DARK.card}!important;border-color:${DARK.line}!important;border-top-color:${dark.fill}!important}
.text{color:${DARK.text}!important}
.quiet{color:${DARK.quiet}!important}
.line{border-color:${DARK.line}!important}
.button{background-color:${dark.fill}!important}
.on{color:${dark.on}!important}
.link{color:${dark.text}!important}
.light-logo{display:none!important}
.dark-logo{display:inline-block!important}
}`
  return new Html(rules)
}
