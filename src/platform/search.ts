import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Splits as `platform.search_key` does. */
const SEPARATORS = /[\s!-/:-@[-`{-~]+/
const MAX_WORDS = 5

/** The words of a search text; empty if it has no letter or digit. */
export function wordsOf(text: string): string[] {
  return text.split(SEPARATORS).filter(Boolean).slice(0, MAX_WORDS)
}

/** The words of a filter; the text itself if it has none, so that it matches nothing. */
export function wordsOrWhole(text: string): string[] {
  const words = wordsOf(text)
  return words.length > 0 ? words : [text]
}

/** The last code point, which sorts after every text with the same prefix. */
const LAST = sql`chr(1114111)`

/** Whether a `term` column starts with a text that has a word, as a bytewise range that uses an index. */
export function termBegins(term: RawBuilder<string>, text: string): RawBuilder<SqlBool> {
  const key = sql`left(platform.search_key(${text}::text), 60)`
  return sql<SqlBool>`(${key} <> '' and ${term} >= ${key} and ${term} < ${key} || ${LAST})`
}

/** Whether a column starts with a text, for an index with `text_pattern_ops`. */
export function begins(column: RawBuilder<string>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${column} ~>=~ ${text}::text and ${column} ~<~ (${text}::text || ${LAST}))`
}
