import { textFor } from '#lib/languages.ts'
import type { Facts } from '#notifications'
import type { IncidentRow } from '../incidents/rules.ts'
import type { UpdateRow } from '../updates/queries.ts'

type About = {
  readonly incident: Pick<IncidentRow, 'kind' | 'titles' | 'startsAt' | 'endsAt'>
  readonly update: Pick<UpdateRow, 'state' | 'texts'>
  /** Whether it is the update with which the incident was published. */
  readonly isFirst: boolean
}

type Reader = { readonly locale: string; readonly shopLocale: string | undefined }

type Notice = {
  [K in
    | 'incident_opened'
    | 'incident_updated'
    | 'incident_resolved'
    | 'maintenance_planned'
    | 'maintenance_changed']: { readonly kind: K; readonly data: Facts[K] }
}

/** The notice of an update for a reader, in their language or in the best other one it is written in. */
export function noticeOf(
  { incident, update, isFirst }: About,
  { locale, shopLocale }: Reader,
): Notice[keyof Notice] {
  const title = textFor(incident.titles, locale, shopLocale)?.[1] ?? ''
  const text = textFor(update.texts, locale, shopLocale)?.[1] ?? ''
  if (incident.kind === 'maintenance' && incident.endsAt !== null) {
    const { startsAt, endsAt } = incident
    const data = { title, text, startsAt, endsAt }
    if (isFirst) return { kind: 'maintenance_planned', data }
    const { state } = update
    const step = state === 'canceled' || state === 'completed' ? state : 'changed'
    return { kind: 'maintenance_changed', data: { ...data, step } }
  }
  const data = { title, text }
  if (isFirst) return { kind: 'incident_opened', data }
  const isResolved = update.state === 'resolved'
  return isResolved ? { kind: 'incident_resolved', data } : { kind: 'incident_updated', data }
}
