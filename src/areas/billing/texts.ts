import {
  type HouseReason,
  invoiceTexts,
  type LineTexts,
  type PrintedTexts,
  type Reason,
  type ReasonKey,
  type ReasonTexts,
} from '#notifications'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { localesOf } from '#users'

/** The words on a printed document; English if we do not have the language. */
export function printedTextsIn(locale: string): PrintedTexts {
  return invoiceTexts(locale).printed
}

/** The texts of invoice lines, in the customer's language; English if we do not have it. */
export function lineTextsIn(locale = 'en'): LineTexts {
  return invoiceTexts(locale).lines
}

/** The texts of the lines of a customer's invoices. */
export async function lineTextsFor(db: Db, { tenantId, userId }: UserKey): Promise<LineTexts> {
  const locales = await localesOf(db, tenantId, [userId])
  return lineTextsIn(locales.get(userId))
}

/** A reason in a language, and what is stored of it beside the text; nothing if a person wrote it. */
export function reasonIn(locale: string, reason: Reason): FrozenReason {
  if ('written' in reason) return { text: reason.written, key: null, facts: null }
  return {
    text: textOf(invoiceTexts(locale).reasons, reason),
    key: reason.key,
    facts: reason.facts,
  }
}

type FrozenReason = {
  readonly text: string
  readonly key: ReasonKey | null
  readonly facts: Record<string, string> | null
}

function textOf<K extends ReasonKey>(texts: ReasonTexts, { key, facts }: HouseReason<K>): string {
  return texts[key](facts)
}

/** A reason in the form that staff sees. */
export function reasonForStaff(reason: Reason): string {
  return reasonIn('en', reason).text
}
