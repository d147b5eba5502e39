import { unprocessable } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import { findLegalText } from '#tenants'
import type { UserRow } from '#users'
import type { OrderRow } from '../queries.ts'

type Accepted = Pick<OrderRow, 'termsVersion' | 'termsLanguage'>

/**
 * The version of the terms that an order is placed under. Throws 422 `terms_not_accepted`
 * if the shop has published terms and their newest version was not accepted.
 */
export async function acceptedTerms(
  db: Db,
  { tenantId, locale }: Pick<UserRow, 'tenantId' | 'locale'>,
  version: number | undefined,
): Promise<Accepted> {
  const current = await findLegalText(db, { tenantId, kind: 'terms' })
  if (!current) return { termsVersion: null, termsLanguage: null }
  if (version !== current.version) {
    throw unprocessable(
      `Accept the terms of sale with \`acceptedTermsVersion: ${current.version}\`, after the customer has ` +
        'read GET /v1/legal-texts/terms.',
      'terms_not_accepted',
    )
  }
  const language = current.texts[locale] === undefined ? Object.keys(current.texts)[0] : locale
  return { termsVersion: version, termsLanguage: language ?? null }
}
