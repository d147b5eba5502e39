import { type Locale, textFor } from '#lib/languages.ts'
import type { Instant } from '#lib/time.ts'
import { type IncidentRow, statusOf } from '../incidents/rules.ts'
import type { UpdateRow } from '../updates/queries.ts'
import type { Names } from './queries.ts'

/** The language in which a reader gets texts, and that of the shop. */
export type Reader = { readonly locale: Locale; readonly shopLocale: Locale | undefined }

/** An update for a reader. */
export function shownUpdate({ id, state, texts, createdAt }: UpdateRow, reader: Reader) {
  const [language, text] = textFor(texts, reader.locale, reader.shopLocale) ?? [reader.locale, '']
  return { id, status: state, language: language as Locale, text, createdAt }
}

type Shown = {
  readonly incident: IncidentRow
  readonly newest: UpdateRow
  readonly names: Names
}

/**
 * A published incident for a reader: what it affects is named as customers know it, and panel connections are not
 * named at all.
 */
export function shownEntry({ incident, newest, names }: Shown, reader: Reader, now: Instant) {
  const { id, kind, impact, startsAt, endsAt, resolvedAt, canceledAt } = incident
  const [language, title] = textFor(incident.titles, reader.locale, reader.shopLocale) ?? [
    reader.locale,
    '',
  ]
  const locations = names.locations.filter((it) => incident.locationIds.includes(it.id))
  const products = names.products.filter((it) => incident.productIds.includes(it.id))
  const status = statusOf(incident, now)
  return {
    ...{ id, kind, impact, status, language: language as Locale, title, locations },
    products: products.map((it) => ({
      id: it.id,
      name: it.translations[reader.locale]?.name ?? it.name,
    })),
    gameServers: incident.nodeIds.length > 0 && locations.length === 0 && products.length === 0,
    ...{ startsAt, endsAt },
    endedAt: canceledAt ?? resolvedAt ?? (status === 'completed' ? endsAt : null),
    updatedAt: newest.createdAt,
    newest: shownUpdate(newest, reader),
  }
}

const SEVERITY = ['minor', 'major', 'critical'] as const

type ShopState = 'operational' | 'maintenance' | (typeof SEVERITY)[number]

/** The state of a shop in which these incidents go on. */
export function shopState(ongoing: readonly Pick<IncidentRow, 'kind' | 'impact'>[]): ShopState {
  const impacts = ongoing.filter(({ kind }) => kind === 'incident').map(({ impact }) => impact)
  const worst = SEVERITY.findLast((it) => impacts.includes(it))
  if (worst !== undefined) return worst
  return ongoing.some(({ kind }) => kind === 'maintenance') ? 'maintenance' : 'operational'
}
