import { deskLocale, type Locale } from '@moorage/languages'
import { createContext, type ReactNode, use } from 'react'
import type { adminEn } from './en/admin.ts'
import type { Widened } from './index.tsx'

/** The texts of the administration: customers do not load them. */
export type AdminTexts = Widened<typeof adminEn>

/** In the language of a reader, if the administration has it; else in English. */
export async function loadAdminTexts(locale: Locale): Promise<AdminTexts> {
  return deskLocale(locale) === 'fr'
    ? (await import('./fr/admin.ts')).adminFr
    : (await import('./en/admin.ts')).adminEn
}

const Administration = createContext<AdminTexts | null>(null)

export function SpeakingAdmin({ texts, children }: { texts: AdminTexts; children: ReactNode }) {
  return <Administration value={texts}>{children}</Administration>
}

export function useAdminTexts(): AdminTexts {
  const texts = use(Administration)
  if (!texts) throw new Error('useAdminTexts needs a SpeakingAdmin above it.')
  return texts
}
