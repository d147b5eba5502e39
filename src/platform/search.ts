import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from './database/index.ts'

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

/** With at most this many, the rows with a word are read first; with more, a list soon meets enough of them. */
const FEW = 1000

/** A table of search terms, its column of the id, and the id in the query that is searched. */
type Terms = {
  readonly table: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  readonly of: RawBuilder<unknown>
}

/**
 * The condition that each word is the prefix of a term. A word that few rows have decides which rows are read; without
 * one, the rows are read in the order of the list, so neither costs more in a large shop.
 */
export async function wordsWithin(
  db: Db,
  { tenantId, words }: { tenantId: string; words: readonly string[] },
  { table, id, of }: Terms,
): Promise<RawBuilder<SqlBool>> {
  const each = words.map(
    // With an offset it is asked of each row, and not of all rows beforehand.
    (word) => sql<SqlBool>`exists (select from ${table} as found
      where found.tenant_id = ${tenantId} and found.${id} = ${of}
        and ${termBegins(sql`found.term`, word)} offset 0)`,
  )
  for (const word of words.toSorted((a, b) => b.length - a.length)) {
    const rows = await db
      .selectFrom(
        sql<{ id: string }>`(select found.${id} as id from ${table} as found
          where found.tenant_id = ${tenantId} and ${termBegins(sql`found.term`, word)}
          limit ${FEW + 1})`.as('some'),
      )
      .select('id')
      .execute()
    if (rows.length <= FEW) {
      each.push(sql<SqlBool>`${of} = any(${rows.map((row) => row.id)}::uuid[])`)
      break
    }
  }
  return sql<SqlBool>`(${sql.join(each, sql` and `)})`
}

/** Whether a column starts with a text, for an index with `text_pattern_ops`. */
export function begins(column: RawBuilder<string>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${column} ~>=~ ${text}::text and ${column} ~<~ (${text}::text || ${LAST}))`
}
