import { hash } from 'node:crypto'
import MarkdownIt from 'markdown-it'
import sanitize from 'sanitize-html'
import { Html } from './html.ts'

/** A top-level heading of a text, and its anchor in the page. */
export type Heading = { readonly id: string; readonly text: string }

/** HTML in the source is escaped. */
const markdown = new MarkdownIt({ html: false, linkify: true })

const ALLOWED = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'pre'],
    ...['code', 'strong', 'em', 's', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'], h2: ['id'], th: ['scope'] },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowProtocolRelative: false,
} satisfies sanitize.IOptions

/** The page itself has the heading of the first level. */
const TOP = 2
const DEEPEST = 6

type Rendered = { readonly html: Html; readonly headings: readonly Heading[] }

/** Rendering a long text takes a tenth of a second, and all visitors read the same few. */
const MOST_KEPT = 30
const kept = new Map<string, Rendered>()

/**
 * Renders Markdown of a host as HTML: headings start below the heading of the page, and HTML, images and scripts
 * are removed. The texts used last are cached.
 */
export function renderMarkdown(source: string): Rendered {
  const key = hash('sha256', source, 'base64')
  const rendered = kept.get(key) ?? render(source)
  kept.delete(key)
  kept.set(key, rendered)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return rendered
}

function render(source: string): Rendered {
  const tokens = markdown.parse(source, {})
  const used = [...new Set(tokens.flatMap((it) => (it.type === 'heading_open' ? [it.tag] : [])))]
  const order = used.sort()
  const headings: Heading[] = []
  let last = TOP - 1
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'th_open') token.attrSet('scope', 'col')
    if (token.type !== 'heading_open') continue
    // No heading level is skipped, for users of screen readers.
    const level = Math.min(order.indexOf(token.tag) + TOP, last + 1, DEEPEST)
    last = level
    // A heading is three tokens: its start, its text and its end.
    const closing = tokens[index + 2]
    token.tag = `h${level}`
    if (closing) closing.tag = token.tag
    if (level !== TOP) continue
    const id = `part-${headings.length + 1}`
    token.attrSet('id', id)
    headings.push({ id, text: plainText(tokens[index + 1]) })
  }
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') token.attrSet('rel', 'noreferrer')
  }
  const rendered = markdown.renderer.render(tokens, markdown.options, {})
  return { html: new Html(sanitize(rendered, ALLOWED)), headings }
}

type Inline = { readonly children: readonly { readonly content: string }[] | null }

function plainText(token: Inline | undefined): string {
  return (token?.children ?? []).map(({ content }) => content).join('')
}
