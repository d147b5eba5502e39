import type { Locale } from '@moorage/languages'
import { createContext, type ReactNode, use } from 'react'
import type { en } from './en/index.ts'

/** The English dictionary is the type: one of another language that lacks a text does not compile. */
export type Widened<T> = T extends (...args: infer A) => string
  ? (...args: A) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Widened<T[K]> }

export type Texts = Widened<typeof en>

const DICTIONARIES: Readonly<Record<Locale, () => Promise<Texts>>> = {
  en: async () => (await import('./en/index.ts')).en,
  fr: async () => (await import('./fr/index.ts')).fr,
  de: async () => (await import('./de/index.ts')).de,
  nl: async () => (await import('./nl/index.ts')).nl,
  es: async () => (await import('./es/index.ts')).es,
  it: async () => (await import('./it/index.ts')).it,
  pl: async () => (await import('./pl/index.ts')).pl,
  pt: async () => (await import('./pt/index.ts')).pt,
}

/** The texts of one language; the others are not sent. */
export function loadTexts(locale: Locale): Promise<Texts> {
  return DICTIONARIES[locale]()
}

type Language = { readonly locale: Locale; readonly texts: Texts; readonly timeZone: string | null }

const Language = createContext<Language | null>(null)

export function Speaking(props: Language & { readonly children: ReactNode }) {
  const { locale, texts, timeZone, children } = props
  return <Language value={{ locale, texts, timeZone }}>{children}</Language>
}

export function useTexts(): Texts {
  return language().texts
}

export function useLocale(): Locale {
  return language().locale
}

/** The time zone of the person; null for that of the browser. */
export function useTimeZone(): string | null {
  return language().timeZone
}

function language() {
  const found = use(Language)
  if (!found) throw new Error('There are no texts outside of <Speaking>.')
  return found
}
