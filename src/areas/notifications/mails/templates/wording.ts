import type { Static } from 'typebox'
import type { Tx } from '#platform/database/index.ts'
import type { Message } from '../../texts/kinds.ts'
import type { reportTemplate } from '../../work.ts'
import type { Values } from './kinds.ts'
import { allValues } from './placeholders.ts'
import { listTemplates } from './queries.ts'
import { writtenBy } from './rules.ts'

type Letter = {
  readonly tenantId: string
  readonly kind: string
  readonly locale: string
  readonly name: string | null
  readonly message: Message
  readonly values?: Values
}

type Wording = {
  /** The standard message, or the same with the shop's subject and text. */
  readonly message: Message
  /** The text of the shop that could not be used. Reported once: the first time since it was edited. */
  readonly unused: Static<typeof reportTemplate.payload> | null
}

/**
 * What each of the mails of one tenant says: in the words of the shop where it wrote some for its kind and language
 * and all their placeholders have a value, else in the standard words.
 */
export async function wordingsOf(tx: Tx, letters: readonly Letter[]): Promise<Wording[]> {
  const kinds = new Set(letters.flatMap(({ kind, values }) => (values ? kind : [])))
  const [first] = letters
  const templates =
    first && kinds.size > 0 ? await listTemplates(tx, first.tenantId, [...kinds]) : []
  return letters.map(({ kind, locale, name, message, values }) => {
    const template = values && templates.find((it) => it.kind === kind && it.locale === locale)
    if (!template) return { message, unused: null }
    const written = writtenBy(template, message, allValues(values, message, name))
    if ('message' in written) return { message: written.message, unused: null }
    const { tenantId, updatedAt, fault } = template
    const key = { tenantId, kind, locale, updatedAt }
    const unused = fault === null ? { ...key, placeholder: written.missing } : null
    return { message, unused }
  })
}
