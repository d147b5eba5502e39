type Wanted = {
  /** The languages that the application requested, in order, separated by spaces (`ui_locales`). */
  asked: unknown
  /** What the browser prefers: `Accept-Language`. */
  header: string | undefined
  fallback: string
  /** The languages that have texts. */
  spoken: readonly string[]
}

/** The language of a page: the one that the application requested, else the browser's, else the shop's. */
export function localeOf({ fallback, ...wanted }: Wanted): string {
  return preferredOf(wanted) ?? preferredOf({ ...wanted, asked: fallback }) ?? 'en'
}

/** The first supported language of those that were requested, then of those that the browser prefers; null for none. */
export function preferredOf({
  asked,
  header = '',
  spoken,
}: Omit<Wanted, 'fallback'>): string | null {
  const named = typeof asked === 'string' ? asked.split(' ') : []
  const languages = [...named, ...preferred(header)].map(languageOf)
  return languages.find((language) => spoken.includes(language)) ?? null
}

/** The language of a BCP 47 tag: `pt` for `pt-BR`. */
function languageOf(tag: string): string {
  return (tag.split(/[-_]/, 1)[0] ?? '').toLowerCase()
}

function preferred(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((part, index) => {
      const [tag = '', quality] = part.trim().split(/\s*;\s*q=/)
      return { tag, weight: quality === undefined ? 1 : Number(quality) || 0, index }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.index - other.index)
    .map(({ tag }) => tag)
}
