import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { json, type Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { incidentOpened, incidentResolved, incidentUpdated } from '../events.ts'
import { type IncidentKey, lockIncident, updateIncident } from '../incidents/queries.ts'
import {
  assertOngoing,
  assertPublishable,
  changeBy,
  type IncidentRow,
  nextState,
  type UpdateState,
} from '../incidents/rules.ts'
import { notifyAffected } from '../work.ts'
import { insertUpdate, type UpdateRow } from './queries.ts'
import type { NewUpdate, Publication } from './schema.ts'

type Author = Pick<Caller, 'userId'>

/**
 * Publishes an incident or maintenance with its first update, and notifies the affected customers unless `notify` is
 * false. Throws 404, 409 `incident_published`, 422 `maintenance_past` and `maintenance_soon`.
 */
export async function publishIncident(
  tx: Tx,
  author: Author,
  key: IncidentKey,
  { texts, state, notify = true, urgent = false }: Publication,
  now: Instant,
): Promise<IncidentRow> {
  const incident = await lockIncident(tx, key)
  if (!incident) throw notFound('Incident')
  assertPublishable(incident, { isUrgent: urgent }, now)
  const said = { state: nextState(incident, state, now), texts, notify }
  const changed = await updateIncident(tx, key, {
    ...changeBy(incident.kind, said.state, now),
    publishedAt: now,
  })
  const { id: updateId } = await say(tx, author, { key, said }, now)
  await emit(tx, incidentOpened, { tenantId: key.tenantId, incidentId: key.id, updateId })
  return changed
}

/**
 * Says something new of a published incident that is not over; a last state ends it. Throws 404, 400 for a state that
 * it cannot have, 409 `incident_not_published` and `incident_over`.
 */
export async function updatePublished(
  tx: Tx,
  author: Author,
  key: IncidentKey,
  { texts, state, notify = false }: NewUpdate,
  now: Instant,
): Promise<UpdateRow> {
  const incident = await lockIncident(tx, key)
  if (!incident) throw notFound('Incident')
  assertOngoing(incident, now)
  const said = { state: nextState(incident, state, now), texts, notify }
  await updateIncident(tx, key, changeBy(incident.kind, said.state, now))
  const update = await say(tx, author, { key, said }, now)
  const facts = { tenantId: key.tenantId, incidentId: key.id }
  if (said.state === 'resolved' || said.state === 'completed') {
    await emit(tx, incidentResolved, facts)
  } else await emit(tx, incidentUpdated, { ...facts, updateId: update.id })
  return update
}

type Said = {
  readonly state: UpdateState
  readonly texts: Readonly<Record<string, string>>
  readonly notify: boolean
}

async function say(
  tx: Tx,
  { userId: authorId }: Author,
  { key, said: { state, texts, notify } }: { key: IncidentKey; said: Said },
  now: Instant,
): Promise<UpdateRow> {
  const { tenantId, id: incidentId } = key
  const update = await insertUpdate(tx, {
    ...{ tenantId, id: newId(), incidentId, state, texts: json(texts), authorId, notify },
    createdAt: now,
  })
  if (notify) await enqueue(tx, notifyAffected, { tenantId, updateId: update.id })
  return update
}
