import { type Locale, textFor } from '#lib/languages.ts'
import type { Row } from '#platform/database/index.ts'

export type DepartmentRow = Row<'support.departments'>

/** The name of a department without one: the first department of a shop that has not created any. */
const FALLBACK: Readonly<Record<Locale, string>> = {
  en: 'Support',
  fr: 'Assistance',
  de: 'Support',
  nl: 'Ondersteuning',
  es: 'Soporte',
  it: 'Assistenza',
  pl: 'Pomoc',
  pt: 'Apoio',
}

/** The reader of a name, which is in their language, else in that of the shop. */
export type Reader = { readonly locale: Locale; readonly shopLocale: string | null }

/** The name of a department for a reader: in their language, else that of the shop, else English. */
export function departmentName(
  { names }: Pick<DepartmentRow, 'names'>,
  { locale, shopLocale }: Reader,
): string {
  return textFor(names, locale, shopLocale)?.[1] ?? FALLBACK[locale]
}

/** Whether a member of staff sees the tickets of a department, by the groups of that member (T21). */
export function isSeenBy(
  { groupIds }: Pick<DepartmentRow, 'groupIds'>,
  ownGroupIds: ReadonlySet<string>,
): boolean {
  return groupIds.length === 0 || groupIds.some((id) => ownGroupIds.has(id))
}
