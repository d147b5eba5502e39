import type { Locale } from '@moorage/languages'
import type { creditKinds as english } from './en/credit-kinds.ts'
import type { Widened } from './index.tsx'

/** What changed credit, by the kind of the entry in the API. */
export type CreditKinds = Widened<typeof english>

const DICTIONARIES: Readonly<Record<Locale, () => Promise<{ creditKinds: CreditKinds }>>> = {
  en: () => import('./en/credit-kinds.ts'),
  fr: () => import('./fr/credit-kinds.ts'),
  de: () => import('./de/credit-kinds.ts'),
  nl: () => import('./nl/credit-kinds.ts'),
  es: () => import('./es/credit-kinds.ts'),
  it: () => import('./it/credit-kinds.ts'),
  pl: () => import('./pl/credit-kinds.ts'),
  pt: () => import('./pt/credit-kinds.ts'),
}

/** The words for what changed credit in one language: only the histories of credit need them. */
export async function loadCreditKinds(locale: Locale): Promise<CreditKinds> {
  return (await DICTIONARIES[locale]()).creditKinds
}
