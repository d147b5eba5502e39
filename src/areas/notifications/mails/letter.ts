import { brandColors } from '#platform/pages/colors.ts'
import type { ShownBrand } from '#tenants'
import { addressed, type MailContent, textOf } from './content.ts'
import { pageOf } from './page.ts'

/** Text for one header line: text from users must not begin another header. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').slice(0, 200)
}

export type Footer = {
  /** The legal line of the shop; empty if it has none yet. */
  legal: string
  why: string
  /** The unsubscribe URL of this kind of mail, if there is one. */
  stop: { label: string; url: string } | null
}

export type Letter = {
  subject: string
  locale: string
  content: MailContent
  footer: Footer
  /** The text before the URL of the button, for a mail whose only purpose is its button. */
  orOpen: string | null
  /** Whether URLs in the paragraphs become links: only if the shop wrote them. */
  isLinked: boolean
}

/**
 * A mail in a tenant's brand, as plain text and as HTML. Texts are escaped. `origin` is the tenant's URL
 * without a trailing slash.
 */
export function branded(
  letter: Letter,
  { brand, origin }: { brand: ShownBrand; origin: string },
): { text: string; html: string } {
  const content = addressed(letter.content, origin)
  const { legal, why, stop } = letter.footer
  const footer = [legal, why, stop ? `${stop.label}: ${stop.url}` : '']
  return {
    text: `${textOf(content)}\n\n-- \n${footer.filter((part) => part !== '').join('\n\n')}\n`,
    html: pageOf(
      { ...letter, content },
      { brand, origin, colors: brandColors(brand.primaryColor) },
    ),
  }
}
