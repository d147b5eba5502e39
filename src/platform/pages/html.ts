/** Markup that is safe to send: all text in it is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[] | null

/** Builds markup: everything that is not markup itself is escaped, for text and for quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const texts = parts.map(textOf)
  return new Html(String.raw({ raw: strings }, ...texts))
}

function textOf(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return part.map(({ text }) => text).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
