import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { badRequest, conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, json, type Tx } from '#platform/database/index.ts'
import { emitAll } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { incidentResolved } from '../events.ts'
import { findFirstUpdate, restartNotices } from '../updates/queries.ts'
import { notifyAffected } from '../work.ts'
import {
  type Affects,
  deleteIncident,
  endMaintenance,
  type IncidentKey,
  insertIncident,
  listKnown,
  lockIncident,
  updateIncident,
} from './queries.ts'
import { assertOngoing, type IncidentRow, reachesFurther, timesOf } from './rules.ts'
import type { IncidentChange, NewIncident } from './schema.ts'

/** Adds a draft, which only staff see. Throws 400 for impossible times and for unknown things that it affects. */
export async function createIncident(
  tx: Tx,
  { tenantId }: Pick<Caller, 'tenantId'>,
  body: NewIncident,
  now: Instant,
): Promise<IncidentRow> {
  const { kind, impact, titles, nodeIds = [], locationIds = [], productIds = [] } = body
  const affects = { nodeIds, locationIds, productIds }
  await assertKnown(tx, tenantId, affects)
  return insertIncident(tx, {
    ...{ tenantId, id: newId(), kind, impact, titles: json(titles) },
    ...{ ...affects, ...timesOf(kind, body, now), createdAt: now },
  })
}

/**
 * Changes an incident that is not over. If a published one affects more than before, the customers who are new to it
 * are notified of its first update. Throws 404, 400 as `createIncident` does, 409 `incident_over`.
 */
export async function changeIncident(
  tx: Tx,
  key: IncidentKey,
  { titles, startsAt, endsAt, ...change }: IncidentChange,
  now: Instant,
): Promise<IncidentRow> {
  const incident = await lockIncident(tx, key)
  if (!incident) throw notFound('Incident')
  if (incident.publishedAt) assertOngoing(incident, now)
  const affects = { ...incident, ...change }
  if (reachesFurther(incident, affects)) await assertKnown(tx, key.tenantId, affects)
  const wanted = { startsAt: startsAt ?? incident.startsAt, endsAt: endsAt ?? incident.endsAt }
  const changed = await updateIncident(tx, key, {
    ...{ ...change, ...timesOf(incident.kind, wanted, now) },
    ...(titles && { titles: json(titles) }),
  })
  if (incident.publishedAt && reachesFurther(incident, affects)) await notifyFurther(tx, key)
  return changed
}

async function notifyFurther(tx: Tx, key: IncidentKey): Promise<void> {
  const first = await findFirstUpdate(tx, key)
  if (!first?.notify) return
  await restartNotices(tx, first)
  await enqueue(tx, notifyAffected, { tenantId: first.tenantId, updateId: first.id })
}

/** Deletes a draft. Throws 404, 409 `incident_published`. */
export async function deleteDraft(tx: Tx, key: IncidentKey) {
  const incident = await lockIncident(tx, key)
  if (!incident) throw notFound('Incident')
  if (incident.publishedAt) {
    throw conflict('It is published: write an update.', 'incident_published')
  }
  await deleteIncident(tx, key)
  return { id: key.id, deleted: true }
}

/** Ends maintenance whose planned end has come, and announces it; returns how many, `limit` at most. */
export async function completeMaintenance(tx: Tx, now: Instant, limit: number): Promise<number> {
  const ended = await endMaintenance(tx, now, limit)
  await emitAll(
    tx,
    incidentResolved,
    ended.map(({ tenantId, id: incidentId }) => ({ tenantId, incidentId })),
  )
  return ended.length
}

async function assertKnown(db: Db, tenantId: string, affects: Affects): Promise<void> {
  const known = await listKnown(db, tenantId, affects)
  const details = (['nodeIds', 'locationIds', 'productIds'] as const).flatMap((list) =>
    affects[list].flatMap((id, index) =>
      known.has(id) ? [] : [{ path: `${list}.${index}`, message: 'does not exist' }],
    ),
  )
  const [first] = details
  if (first) throw badRequest(`${first.path} does not exist.`, details)
}
