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

/** The page has the first level itself. */
const TOP = 2
const DEEPEST = 6

/**
 * Renders Markdown of a host as HTML: headings start below the heading of the page, and HTML, images and scripts
 * are removed.
 */
export function renderMarkdown(source: string): { html: Html; headings: Heading[] } {
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
    const closing = tokens.slice(index).find(({ type }) => type === 'heading_close')
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
