import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { textFor } from '#lib/languages.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockOffer } from '../queries.ts'
import { findLegalText, insertLegalText, type LegalTextRow } from './queries.ts'
import type { NewLegalText } from './schema.ts'

/**
 * Publishes the next version of a legal text; earlier versions do not change. Publishing the current text again
 * creates no new version.
 */
export async function publishLegalText(
  tx: Tx,
  { tenantId, userId }: Caller,
  { kind, texts }: NewLegalText,
  now: Instant,
): Promise<LegalTextRow> {
  // The lock gives concurrent publications different version numbers.
  await lockOffer(tx, tenantId)
  const last = await findLegalText(tx, { tenantId, kind })
  if (last && sameTexts(last.texts, texts)) return last
  const version = (last?.version ?? 0) + 1
  const made = { publishedAt: now, publishedBy: userId }
  return insertLegalText(tx, { tenantId, id: newId(), kind, version, texts, ...made })
}

type Wanted = { readonly locale: string; readonly shopLocale: string | undefined }

/** A version of a text in the reader's language, or in the best other one it has. Throws 404 if there is none. */
export function legalTextIn(row: LegalTextRow | undefined, { locale, shopLocale }: Wanted) {
  const found = row && textFor(row.texts, locale, shopLocale)
  if (!row || !found) throw notFound('Legal text')
  const [language, text] = found
  const { kind, version, publishedAt } = row
  return { kind, version, language, text, publishedAt }
}

function sameTexts(one: LegalTextRow['texts'], other: LegalTextRow['texts']): boolean {
  const languages = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...languages].every((it) => one[it] === other[it])
}
