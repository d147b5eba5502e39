import { badRequest, conflict, unprocessable } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'

export type IncidentRow = Row<'incidents.incidents'>

/** What an update of an incident may say. */
export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const
/** The statuses of maintenance; the last two are also what its last update says. */
const MAINTENANCE_STATES = ['scheduled', 'in_progress', 'completed', 'canceled'] as const
export const INCIDENT_STATUSES = ['draft', ...INCIDENT_STATES, ...MAINTENANCE_STATES] as const
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number]

/** What an update says of an incident. */
export type UpdateState = Exclude<IncidentStatus, 'draft'>

/** How long before its begin maintenance is announced, unless it is urgent. */
const ANNOUNCED_MS = 24 * HOUR_MS

type Facts = Pick<
  IncidentRow,
  'kind' | 'state' | 'startsAt' | 'endsAt' | 'publishedAt' | 'resolvedAt' | 'canceledAt'
>

/** The status of an incident at an instant: that of maintenance follows from its times (support 13). */
export function statusOf(incident: Facts, now: Instant): IncidentStatus {
  const { kind, state, startsAt, endsAt, publishedAt, resolvedAt, canceledAt } = incident
  if (!publishedAt) return 'draft'
  if (kind === 'incident') return state ?? 'investigating'
  if (canceledAt) return 'canceled'
  if (resolvedAt || (endsAt !== null && endsAt <= now)) return 'completed'
  return startsAt <= now ? 'in_progress' : 'scheduled'
}

const OVER: ReadonlySet<IncidentStatus> = new Set(['resolved', 'completed', 'canceled'])

/** Whether nothing more is to come of it. */
export function isOver(status: IncidentStatus): boolean {
  return OVER.has(status)
}

/**
 * When it happens. Throws 400 for maintenance without a begin or an end, for an end that is not after the begin, and
 * for an incident with a planned end.
 */
export function timesOf(
  kind: IncidentRow['kind'],
  { startsAt, endsAt }: { startsAt?: Instant | undefined; endsAt?: Instant | null | undefined },
  now: Instant,
): Pick<IncidentRow, 'startsAt' | 'endsAt'> {
  if (kind === 'incident') {
    if (endsAt) throw invalid('endsAt', 'is only for maintenance')
    return { startsAt: startsAt ?? now, endsAt: null }
  }
  if (!startsAt) throw invalid('startsAt', 'is required for maintenance')
  if (!endsAt) throw invalid('endsAt', 'is required for maintenance')
  if (endsAt <= startsAt) throw invalid('endsAt', 'must be after startsAt')
  return { startsAt, endsAt }
}

function invalid(path: string, message: string) {
  return badRequest(`${path} ${message}.`, [{ path, message }])
}

/**
 * Throws 409 for an incident that is published, and 422 for maintenance that has ended, or that begins within a day
 * without being urgent.
 */
export function assertPublishable(
  incident: IncidentRow,
  { isUrgent }: { isUrgent: boolean },
  now: Instant,
): void {
  if (incident.publishedAt) throw conflict('It is published already.', 'incident_published')
  if (incident.kind === 'incident') return
  if (incident.endsAt !== null && incident.endsAt <= now) {
    throw unprocessable('The planned end has passed.', 'maintenance_past')
  }
  if (!isUrgent && incident.startsAt < later(now, ANNOUNCED_MS)) {
    throw unprocessable(
      'Maintenance is announced 24 hours before it begins, unless it is urgent.',
      'maintenance_soon',
    )
  }
}

/** Throws 409 for an incident that is not published, or that is over. */
export function assertOngoing(incident: IncidentRow, now: Instant): void {
  const status = statusOf(incident, now)
  if (status === 'draft') throw conflict('It is not published.', 'incident_not_published')
  if (isOver(status)) throw conflict('It is over.', 'incident_over')
}

/**
 * What the next update says: the given state, else that in which the incident is. Throws 400 for a state of the other
 * kind, and for one of maintenance that its times determine.
 */
export function nextState(
  incident: IncidentRow,
  state: UpdateState | undefined,
  now: Instant,
): UpdateState {
  const status = statusOf(incident, now)
  const current = status === 'draft' ? firstState(incident, now) : status
  if (state === undefined) return current
  const choices: readonly UpdateState[] =
    incident.kind === 'incident' ? INCIDENT_STATES : ['completed', 'canceled']
  if (!choices.includes(state)) throw invalid('state', `must be one of ${choices.join(', ')}`)
  return state
}

function firstState(incident: IncidentRow, now: Instant): UpdateState {
  const status = statusOf({ ...incident, publishedAt: now }, now)
  return status === 'draft' ? 'investigating' : status
}

/** What of an incident changes with an update. */
export function changeBy(
  kind: IncidentRow['kind'],
  state: UpdateState,
  now: Instant,
): Partial<Pick<IncidentRow, 'state' | 'resolvedAt' | 'canceledAt'>> {
  if (state === 'canceled') return { canceledAt: now }
  if (kind === 'maintenance') return state === 'completed' ? { resolvedAt: now } : {}
  const said = INCIDENT_STATES.find((it) => it === state) ?? null
  return { state: said, resolvedAt: said === 'resolved' ? now : null }
}

type Affected = Pick<IncidentRow, 'nodeIds' | 'locationIds' | 'productIds'>

/** Whether a change lets an incident affect something that it did not affect before. */
export function reachesFurther(before: Affected, after: Affected): boolean {
  return (['nodeIds', 'locationIds', 'productIds'] as const).some((list) =>
    after[list].some((id) => !before[list].includes(id)),
  )
}
