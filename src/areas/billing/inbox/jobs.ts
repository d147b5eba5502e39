import { newId } from '#lib/id.ts'
import { HOUR_MS, type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { emit } from '#platform/events.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { adminAttention } from '../events.ts'
import { connect, driverOf } from '../gateways/connection.ts'
import type { EventEnvelope } from '../gateways/contract.ts'
import { GatewayError } from '../gateways/error.ts'
import {
  findGateway,
  findKeptGateway,
  type GatewayKey,
  listEnabledGateways,
  updateGateway,
} from '../gateways/queries.ts'
import { readChanges, readEvent } from '../work.ts'
import { applyObservation, isAboutNobody, type Observed } from './observe.ts'
import {
  type EventRow,
  emptyEvent,
  endEvent,
  findEvent,
  insertEvents,
  recordRetry,
} from './queries.ts'

const POLL_MS = 15 * MINUTE_MS
/** How far before the last read the log is read again: events appear in it late. */
const OVERLAP_MS = HOUR_MS
const BATCH = 100

/**
 * Processes one event from the inbox: asks the driver what it means now, and applies that. An event
 * with our ids but for an unknown object is tried again for about an hour, then an administrator is
 * told: no event is ever lost silently.
 */
export const readEventJob = job(
  readEvent,
  async (context, key) => {
    const event = await findEvent(context.db, key)
    // A failed event is processed again because an operator asked for it.
    if (event?.state !== 'new' && event?.state !== 'failed') return
    try {
      await read(context, event)
    } catch (error) {
      if (context.lastTry) await giveUp(context, event, error)
      throw error
    }
  },
  { concurrency: 4 },
)

async function read(context: JobContext, event: EventRow): Promise<void> {
  const { tenantId, gatewayId } = event
  const row = await findGateway(context.db, { tenantId, gatewayId })
  if (!row) return
  const { driver, context: gateway } = await connect(context, row, context.signal)
  const envelope = JSON.parse(event.envelope) as EventEnvelope
  const observations = await driver.observe(gateway, envelope)
  const unmatched = await context.transact(async (tx) => {
    const results: Observed[] = []
    for (const observation of observations) {
      results.push(await applyObservation(tx, { tenantId, gatewayId }, observation, context.now))
    }
    if (results.includes('unmatched')) {
      await recordRetry(tx, event, 'Nothing here belongs to it yet.')
      return true
    }
    const ignored = observations.find(({ type }) => type === 'ignored')
    const note = ignored?.type === 'ignored' ? ignored.why : null
    const known = results.includes('applied') || results.includes('break')
    const state = known ? 'done' : 'ignored'
    await endEvent(tx, event, { state, note }, context.now)
    for (const observation of observations) {
      if (await isAboutNobody(tx, { tenantId, gatewayId }, observation)) await emptyEvent(tx, event)
    }
    return false
  })
  if (unmatched) throw new Error(`Nothing here belongs to the event ${event.eventKey} yet`)
}

async function giveUp(context: JobContext, event: EventRow, error: unknown): Promise<void> {
  if (event.state === 'failed') return
  const { tenantId, id, eventKey, type, gatewayId } = event
  const message = error instanceof GatewayError ? error.message : 'It could not be applied.'
  await context.transact(async (tx) => {
    const ended = await endEvent(tx, event, { state: 'failed', note: message }, context.now)
    if (!ended) return
    const data = { gatewayId, eventId: id, eventKey, type, message }
    await emit(tx, adminAttention, { tenantId, kind: 'event_not_applied', data })
  })
}

/** Stores authentic events, each once, and has each of them processed. */
export async function receiveEvents(
  tx: Tx,
  { tenantId, gatewayId }: GatewayKey,
  envelopes: readonly EventEnvelope[],
  now: Instant,
): Promise<number> {
  const rows = envelopes.map((envelope) => ({
    ...{ tenantId, id: newId(), gatewayId, eventKey: envelope.eventKey, type: envelope.type },
    ...{ objectId: envelope.objectId ?? null, envelope: JSON.stringify(envelope) },
    ...{ state: 'new' as const, receivedAt: now },
  }))
  const added = await insertEvents(tx, rows)
  for (const eventId of added) await enqueue(tx, readEvent, { tenantId, eventId })
  return added.length
}

/** Asks every provider that keeps a log for events that its webhooks did not deliver. */
export const pollChanges = schedule('billing.poll-changes', POLL_MS, async (context) => {
  const gateways = await listEnabledGateways(context.db)
  const asked = gateways.filter(
    ({ driver }) => driverOf(context.config, driver)?.capabilities.listChanges,
  )
  await context.transact(async (tx) => {
    for (const { tenantId, id: gatewayId } of asked) {
      await enqueue(tx, readChanges, { tenantId, gatewayId }, { key: gatewayId })
    }
  })
})

/** Reads a provider's log from the position reached; also recovers from an outage of days. */
export const readChangesJob = job(
  readChanges,
  async (context, key) => {
    const row = await findKeptGateway(context.db, key)
    if (!row?.enabled) return
    const { driver, context: gateway } = await connect(context, row, context.signal)
    if (!driver.listChanges) return
    // The provider's clock was not moved with ours.
    const realNow = later(context.now, -context.clock.offsetMs)
    const since = later(row.changesReadTo ?? realNow, -OVERLAP_MS)
    let batch: EventEnvelope[] = []
    const keep = async () => {
      const envelopes = batch
      batch = []
      await context.transact((tx) => receiveEvents(tx, key, envelopes, context.now))
    }
    for await (const envelope of driver.listChanges(gateway, since)) {
      batch.push(envelope)
      if (batch.length === BATCH) await keep()
    }
    await keep()
    await context.transact((tx) => updateGateway(tx, key, { changesReadTo: realNow }))
  },
  { retries: 3, timeoutSeconds: 600 },
)
