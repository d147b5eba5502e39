import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useState } from 'react'
import { Select } from './kit.ts'

const OPTIONS = LOCALES.map((value) => ({ value, label: languageName(value) }))

type LanguageSelectProps = {
  readonly label: string
  readonly description?: string
  readonly value: Locale
  readonly change: (locale: Locale) => void
}

/** One of the languages that customers are written to in, each by its own name. */
export function LanguageSelect({ label, description, value, change }: LanguageSelectProps) {
  return (
    <Select
      {...{ label, description, value }}
      data={OPTIONS}
      onChange={(chosen) => {
        const locale = LOCALES.find((it) => it === chosen)
        if (locale) change(locale)
      }}
    />
  )
}

type Written = {
  /** The default language of the shop. */
  readonly shopLocale: string | undefined
  /** Whether there is a text in a language. */
  readonly isWritten: (locale: Locale) => boolean
}

/**
 * The languages for which a form has fields: first that of the shop, English and French, then those that have a text
 * or that staff added, and those that can still be added.
 */
export function useWrittenLanguages({ shopLocale, isWritten }: Written) {
  const [added, setAdded] = useState<readonly Locale[]>([])
  const first = LOCALES.filter((it) => it === shopLocale)
  const more = LOCALES.filter((it) => isWritten(it) || added.includes(it))
  const shown = [...new Set<Locale>([...first, 'en', 'fr', ...more])]
  return {
    shown,
    missing: LOCALES.filter((it) => !shown.includes(it)),
    add: (locale: Locale) => setAdded((before) => [...before, locale]),
  }
}

type AddLanguageProps = {
  readonly label: string
  readonly missing: readonly Locale[]
  readonly add: (locale: Locale) => void
}

/** A list of the languages that a form does not show yet; renders nothing if it shows all. */
export function AddLanguage({ label, missing, add }: AddLanguageProps) {
  if (missing.length === 0) return null
  return (
    <Select
      className="form-width"
      aria-label={label}
      placeholder={label}
      value={null}
      data={OPTIONS.filter(({ value }) => missing.includes(value))}
      onChange={(chosen) => {
        const locale = missing.find((it) => it === chosen)
        if (locale) add(locale)
      }}
    />
  )
}
