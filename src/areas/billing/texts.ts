import { HOUSE_REASONS, invoiceTexts, type LineTexts, type PrintedTexts } from '#notifications'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { localesOf } from '#users'

/** The words on a printed document; English where we do not speak the language. */
export function printedTextsIn(locale: string): PrintedTexts {
  return invoiceTexts(locale).printed
}

/** What lines of invoices say, in the customer's language; English where we do not speak it. */
export function lineTextsIn(locale = 'en'): LineTexts {
  return invoiceTexts(locale).lines
}

/** What the lines of a customer's invoices say. */
export async function lineTextsFor(db: Db, { tenantId, userId }: UserKey): Promise<LineTexts> {
  const locales = await localesOf(db, tenantId, [userId])
  return lineTextsIn(locales.get(userId))
}

/** A reason in the customer's language; what an administrator wrote stays as it is. */
export function reasonIn(locale: string, reason: string): string {
  const { reasons } = invoiceTexts(locale)
  const known = Object.entries(HOUSE_REASONS).find(([, text]) => text === reason)
  return known ? reasons[known[0] as keyof typeof reasons] : reason
}
