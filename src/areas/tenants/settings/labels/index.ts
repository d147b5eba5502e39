import { en } from './en.ts'
import { fr } from './fr.ts'

/** The texts of the settings in one language: by section, by `section.field`, and by value. */
export type SettingsTexts = {
  readonly groups: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
  /** Descriptions other than those of the schema, which are in English. */
  readonly descriptions: Readonly<Record<string, string>>
}

const TEXTS: Readonly<Record<string, SettingsTexts>> = { en, fr }

/** The languages that settings are described in. */
export const SETTINGS_LANGUAGES: readonly string[] = Object.keys(TEXTS)

/** The texts of a language; those of English for an unknown one. */
export function settingsTexts(locale: string): SettingsTexts {
  return TEXTS[locale] ?? en
}
