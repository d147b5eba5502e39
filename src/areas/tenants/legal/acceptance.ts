import { textFor } from '#lib/languages.ts'
import { unprocessable } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import { brandOf } from '../public-view.ts'
import { findLegalText } from './queries.ts'

/** The version of the terms that a person accepted, and the language they read it in; null without terms. */
export type AcceptedTerms = {
  readonly termsVersion: number | null
  readonly termsLanguage: string | null
}

/**
 * The acceptance of a shop's terms of sale, to be stored as evidence. Throws 422 `terms_not_accepted`
 * if the shop has published terms and their newest version was not accepted.
 */
export async function acceptedTerms(
  db: Db,
  { tenantId, locale }: { readonly tenantId: string; readonly locale: string },
  version: number | undefined,
): Promise<AcceptedTerms> {
  const current = await findLegalText(db, { tenantId, kind: 'terms' })
  if (!current) return { termsVersion: null, termsLanguage: null }
  if (version !== current.version) {
    throw unprocessable(
      `Accept the terms of sale with \`acceptedTermsVersion: ${current.version}\`, after the customer has ` +
        'read GET /v1/legal-texts/terms.',
      'terms_not_accepted',
    )
  }
  const { locale: shopLocale } = await brandOf(db, tenantId)
  const [language = null] = textFor(current.texts, locale, shopLocale) ?? []
  return { termsVersion: version, termsLanguage: language }
}
