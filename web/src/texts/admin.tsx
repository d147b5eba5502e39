import { deskLocale, type Locale } from '@moorage/languages'
import { createContext, type ReactNode, use } from 'react'
import type { adminEn, adminEnParts } from './en/admin.ts'
import type { Widened } from './index.tsx'

/** An area of the administration whose texts are loaded with its screens. */
export type AdminPart = keyof typeof adminEnParts

/** The texts of the administration: customers do not load them. */
export type AdminTexts = Widened<typeof adminEn> & {
  readonly [Name in AdminPart]: Widened<Awaited<ReturnType<(typeof adminEnParts)[Name]>>>
}

/** Loads the texts of one area each. */
export type AdminParts = { readonly [Name in AdminPart]: () => Promise<AdminTexts[Name]> }

type Dictionary = {
  readonly texts: AdminTexts
  readonly load: (area: AdminPart) => Promise<unknown>
}

let dictionary: Promise<Dictionary> | null = null

/**
 * The texts of the administration in the language of a reader, if it has that; else in English. Those of the named
 * areas are loaded when it resolves; a component that reads those of another one is suspended until they are.
 */
export async function loadAdminTexts(
  locale: Locale,
  areas: readonly AdminPart[] = [],
): Promise<AdminTexts> {
  dictionary ??= dictionaryOf(locale).catch((error: unknown) => {
    dictionary = null
    throw error
  })
  const { texts, load } = await dictionary
  await Promise.all(areas.map(load))
  return texts
}

async function dictionaryOf(locale: Locale): Promise<Dictionary> {
  if (deskLocale(locale) === 'fr') {
    const { adminFr, adminFrParts } = await import('./fr/admin.ts')
    return withParts(adminFr, adminFrParts)
  }
  const { adminEn, adminEnParts } = await import('./en/admin.ts')
  return withParts(adminEn, adminEnParts)
}

function withParts(core: Widened<typeof adminEn>, parts: AdminParts): Dictionary {
  const loaded = new Map<AdminPart, unknown>()
  const loading = new Map<AdminPart, Promise<unknown>>()
  const load = (area: AdminPart) => {
    const known = loading.get(area)
    if (known) return known
    const part = parts[area]().then(
      (texts) => loaded.set(area, texts).get(area),
      (error: unknown) => {
        loading.delete(area)
        throw error
      },
    )
    loading.set(area, part)
    return part
  }
  const texts = { ...core }
  for (const area of Object.keys(parts) as AdminPart[]) {
    const get = () => {
      const found = loaded.get(area)
      if (found) return found
      // Suspends the component. `use` would replay it, which fails with the texts that have come meanwhile.
      throw load(area)
    }
    Object.defineProperty(texts, area, { get })
  }
  return { texts: texts as AdminTexts, load }
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
