import { createHash } from 'node:crypto'
import type { Answer } from '../http.ts'

/** Markup that is safe as it stands. Only `html` makes it. */
export type Html = { readonly markup: string }
type Part = string | number | null | Html | readonly Html[]

const NAMES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Markup with every text that is put into it escaped. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  const markup = texts.reduce((so, text, index) => so + written(parts[index - 1] ?? null) + text)
  return { markup }
}

function written(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replace(/[&<>"']/g, (it) => NAMES[it] ?? it)
  }
  return 'markup' in part ? part.markup : part.map((it) => it.markup).join('')
}

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem }
.notice { background: #fde68a; color: #422006; padding: .5rem 1rem; border-radius: .25rem }
.problem { background: #fecaca; color: #450a0a; padding: .5rem 1rem; border-radius: .25rem }
select, input, button { font: inherit; padding: .4rem .6rem; margin: .25rem 0 }
select, input { width: 100%; box-sizing: border-box }
li { margin: .5rem 0 }
li form { display: inline }`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // Without form-action: the browser would apply it to the redirect to the shop, too.
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A whole page. Every one of them says what it is. */
export function page(status: number, title: string, content: Html): Answer {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<p class="notice">Sandbox - no real money</p>
<h1>${title}</h1>
${content}
</body>
</html>
`
  return { status, headers: HEADERS, body: markup }
}

/** Sends the browser on with a GET. */
export function redirect(url: string): Answer {
  return { status: 303, headers: { location: url, 'cache-control': 'no-store' }, body: '' }
}

/** What went wrong, for the person at the browser. */
export function problemIn(message: string | null | undefined): Html {
  return message ? html`<p class="problem">${message}</p>` : html``
}
