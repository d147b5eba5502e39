type Wanted = {
  /** What the application asked for: languages in order, with spaces between (`ui_locales`). */
  asked: unknown
  /** What the browser prefers: `Accept-Language`. */
  header: string | undefined
  fallback: string
  /** The languages there are texts in. */
  spoken: readonly string[]
}

/** The language of a page: what the application asked for, else the browser's, else the shop's. */
export function localeOf({ asked, header = '', fallback, spoken }: Wanted): string {
  const named = typeof asked === 'string' ? asked.split(' ') : []
  const wanted = [...named, ...preferred(header), fallback]
  const languages = wanted.map((tag) => tag.slice(0, 2).toLowerCase())
  return languages.find((language) => spoken.includes(language)) ?? 'en'
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
