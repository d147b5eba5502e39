const ELIDED = { il: 'l’', al: 'all’', del: 'dell’', dal: 'dall’' } as const

/** A day with its article, as Italian requires: `il 9 maggio`, but `l’8 maggio` and `l’11 maggio`. */
export function withArticle(article: keyof typeof ELIDED, day: string): string {
  return /^(8|11)\b/.test(day) ? `${ELIDED[article]}${day}` : `${article} ${day}`
}
