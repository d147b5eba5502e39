import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Template, TemplateKind } from './kinds.ts'
import { STANDARD_TEMPLATE } from './placeholders.ts'
import { deleteTemplate, putTemplate, type TemplateKey, type TemplateRow } from './queries.ts'
import { assertTemplate } from './rules.ts'

type Key = TemplateKey & { kind: TemplateKind }

/**
 * Stores the text of a shop for a kind of mail in a language. One that is the standard text is not kept. Throws 422
 * for unknown placeholders.
 */
export async function setTemplate(
  tx: Tx,
  key: Key,
  { subject, text }: Template,
  now: Instant,
): Promise<TemplateRow | undefined> {
  assertTemplate(key.kind, { subject, text })
  if (subject === STANDARD_TEMPLATE.subject && text === STANDARD_TEMPLATE.text) {
    await deleteTemplate(tx, key)
    return undefined
  }
  const { tenantId, kind, locale } = key
  return putTemplate(tx, {
    ...{ tenantId, kind, locale, subject, text },
    ...{ updatedAt: now, fault: null, faultAt: null },
  })
}

/** Returns to the standard text. 404 if the shop has no text of its own. */
export async function resetTemplate(tx: Tx, key: TemplateKey): Promise<void> {
  if (!(await deleteTemplate(tx, key))) throw notFound('Mail template')
}
