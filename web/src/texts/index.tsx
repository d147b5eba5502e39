import { createContext, type ReactNode, use } from 'react'
import type { en } from './en/index.ts'

/** The English dictionary is the type: a French one that lacks a text does not compile. */
export type Widened<T> = T extends (...args: infer A) => string
  ? (...args: A) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Widened<T[K]> }

export type Texts = Widened<typeof en>
export type Locale = 'en' | 'fr'

/** The texts of one language; the other one is not sent. */
export async function loadTexts(locale: Locale): Promise<Texts> {
  return locale === 'fr' ? (await import('./fr/index.ts')).fr : (await import('./en/index.ts')).en
}

const Language = createContext<{ locale: Locale; texts: Texts } | null>(null)

export function Speaking(props: { locale: Locale; texts: Texts; children: ReactNode }) {
  const { locale, texts, children } = props
  return <Language value={{ locale, texts }}>{children}</Language>
}

export function useTexts(): Texts {
  return language().texts
}

export function useLocale(): Locale {
  return language().locale
}

function language() {
  const found = use(Language)
  if (!found) throw new Error('There are no texts outside of <Speaking>.')
  return found
}
