import { withoutLinks } from '#lib/links.ts'
import { textsIn } from '../texts/index.ts'
import type { Message } from '../texts/kinds.ts'
import type { MailRow } from './queries.ts'

/** The parts of a mail. `to` is a path of the shop or, for a secret link, a whole address. */
export type MailContent = NonNullable<MailRow['content']>

type Written = { message: Message; locale: string; name: string | null; link: string | null }

/** The parts of a notification mail. Text entered by users never becomes a link. */
export function contentOf({ message, locale, name, link }: Written): MailContent {
  const { title, body, rows = [], isListed, action = title, after = null } = message
  return {
    greeting: textsIn(locale).greeting(name === null ? null : withoutLinks(name)),
    paragraphs: isListed ? [] : body.split(/\n{2,}/),
    rows: rows.map(([label, value]) => [label, value]),
    action: link === null ? null : { label: action, to: link },
    after,
  }
}

/** The parts of an older mail without stored content: its whole text. */
export function contentOfText(body: string): MailContent {
  const paragraphs = body.split(/\n{2,}/).filter((it) => it !== '')
  const last = paragraphs.at(-1) ?? ''
  const isPath = /^\/[^\s/]\S*$/.test(last)
  return {
    greeting: '',
    paragraphs: isPath ? paragraphs.slice(0, -1) : paragraphs,
    rows: [],
    action: isPath ? { label: '', to: last } : null,
    after: null,
  }
}

/** The content with an absolute URL for its button: a path is relative to `origin`. */
export function addressed(content: MailContent, origin: string): MailContent {
  const { action } = content
  if (!action) return content
  const to = /^\/(?!\/)/.test(action.to) ? `${origin}${action.to}` : action.to
  return { ...content, action: { ...action, to } }
}

/** The same as plain text: paragraphs, aligned rows, and the button as its label and address. */
export function textOf({ greeting, paragraphs, rows, action, after }: MailContent): string {
  const width = Math.max(0, ...rows.map(([label]) => label.length))
  const table = rows.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${value}`)
  const button = action ? [action.label && `${action.label}:`, action.to].filter(Boolean) : []
  return [greeting, ...paragraphs, table.join('\n'), button.join('\n'), after ?? '']
    .filter((part) => part !== '')
    .join('\n\n')
}
