import type { Purpose } from '#platform/area.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'

const LANGUAGES: Readonly<Record<string, Readonly<Record<string, Purpose>>>> = { en, fr }

/** The languages in which people are told why we keep what we keep. */
export const PURPOSE_LANGUAGES: readonly string[] = Object.keys(LANGUAGES)

/** What purposes are there, whoever names them. */
export const PURPOSES: readonly string[] = Object.keys(en)

/**
 * The purposes that areas name, in a language; English where we do not speak it. Throws for one that
 * has no text: nobody gets an export in which something is kept without a reason.
 */
export function purposesIn(locale: string, names: readonly string[]): Purpose[] {
  const texts: Readonly<Record<string, Purpose>> = LANGUAGES[locale] ?? en
  return names.map((name) => {
    const purpose = texts[name]
    if (!purpose) throw new Error(`There is no text for the purpose ${name}`)
    return purpose
  })
}
