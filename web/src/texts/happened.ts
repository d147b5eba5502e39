import type { Locale } from '@moorage/languages'
import type { happened as english } from './en/happened.ts'
import type { Widened } from './index.tsx'

/** What each kind of event is called, by its name in the API. */
export type Happened = Widened<typeof english>

const DICTIONARIES: Readonly<Record<Locale, () => Promise<{ happened: Happened }>>> = {
  en: () => import('./en/happened.ts'),
  fr: () => import('./fr/happened.ts'),
  de: () => import('./de/happened.ts'),
  nl: () => import('./nl/happened.ts'),
  es: () => import('./es/happened.ts'),
  it: () => import('./it/happened.ts'),
  pl: () => import('./pl/happened.ts'),
  pt: () => import('./pt/happened.ts'),
}

/** The names of events in one language: only the history of an account needs them. */
export async function loadHappened(locale: Locale): Promise<Happened> {
  return (await DICTIONARIES[locale]()).happened
}
