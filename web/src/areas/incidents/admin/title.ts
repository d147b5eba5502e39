import { textFor } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { meta } from '../../../api/reads.ts'
import { useLocale } from '../../../texts/index.tsx'
import type { Incident } from './reads.ts'

/** The title of an incident in the language of the screen, or in the best other one. */
export function useTitleOf(): (incident: Pick<Incident, 'titles'>) => string {
  const locale = useLocale()
  const shopLocale = useQuery(meta).data?.locale
  return ({ titles }) => textFor(titles, locale, shopLocale)?.[1] ?? ''
}
