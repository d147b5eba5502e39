import type { Locale } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import type { affiliation } from './en/affiliation.ts'
import type { attachments } from './en/attachments.ts'
import { useLocale, type Widened } from './index.tsx'

/** Texts that few screens need, and that are loaded with these. */
type Parts = {
  readonly affiliation: Widened<typeof affiliation>
  readonly attachments: Widened<typeof attachments>
}

type Loaders<T> = Readonly<Record<Locale, () => Promise<T>>>

const LOADERS: { readonly [Name in keyof Parts]: Loaders<Pick<Parts, Name>> } = {
  affiliation: {
    en: () => import('./en/affiliation.ts'),
    fr: () => import('./fr/affiliation.ts'),
    de: () => import('./de/affiliation.ts'),
    nl: () => import('./nl/affiliation.ts'),
    es: () => import('./es/affiliation.ts'),
    it: () => import('./it/affiliation.ts'),
    pl: () => import('./pl/affiliation.ts'),
    pt: () => import('./pt/affiliation.ts'),
  },
  attachments: {
    en: () => import('./en/attachments.ts'),
    fr: () => import('./fr/attachments.ts'),
    de: () => import('./de/attachments.ts'),
    nl: () => import('./nl/attachments.ts'),
    es: () => import('./es/attachments.ts'),
    it: () => import('./it/attachments.ts'),
    pl: () => import('./pl/attachments.ts'),
    pt: () => import('./pt/attachments.ts'),
  },
}

export type AffiliationTexts = Parts['affiliation']
export type AttachmentTexts = Parts['attachments']

/** A query for one of these parts in the language of the reader. */
export function usePart<Name extends keyof Parts>(name: Name) {
  const locale = useLocale()
  return useQuery({
    queryKey: ['texts', name, locale],
    queryFn: async (): Promise<Parts[Name]> => (await LOADERS[name][locale]())[name],
    staleTime: Number.POSITIVE_INFINITY,
  })
}
