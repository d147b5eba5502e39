import { createContext, type ReactNode, use } from 'react'
import type { adminEn } from './en/admin.ts'
import type { Locale, Widened } from './index.tsx'

/** The texts of the administration: customers do not load them. */
export type AdminTexts = Widened<typeof adminEn>

export async function loadAdminTexts(locale: Locale): Promise<AdminTexts> {
  return locale === 'fr'
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
