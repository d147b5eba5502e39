import { newId } from '#lib/id.ts'
import { conflict } from '#lib/problem.ts'
import { type Instant, millis, SECOND_MS } from '#lib/time.ts'
import { findEgg, type PanelFailure } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { blueprintOf } from '../components/builds.ts'
import { lockService, type ServiceRow } from '../queries.ts'
import { assertActive, assertServer } from '../rules.ts'
import { applyStartup } from '../work.ts'
import {
  findStartupChange,
  type StartupChangeRow,
  updateChosen,
  updateStartupChange,
  upsertStartupChange,
} from './queries.ts'
import { assertAllowed, type Wish } from './rules.ts'

/**
 * Requests another start-up for the server of a locked service; a job sends it to the panel. Earlier requests that are
 * not sent yet stay part of it. Throws 409 for a service that is not active or has no server on a connected panel, 422
 * for what its egg or product does not allow.
 */
export async function wishStartup(
  tx: Tx,
  service: ServiceRow,
  wish: Wish,
  now: Instant,
): Promise<void> {
  assertServer(service)
  assertActive(service)
  const { tenantId, id: serviceId } = service
  const provisioning = (await blueprintOf(tx, service))?.provisioning
  const egg = provisioning && (await findEgg(tx, { tenantId, id: provisioning.eggId }))
  if (!egg || !service.nodeId || service.serverId === null) {
    throw conflict('This service has no server on a connected panel.', 'unmanaged')
  }
  assertAllowed(egg, provisioning, wish)
  const before = await findStartupChange(tx, { tenantId, serviceId })
  const open = before?.nextAt ? before : undefined
  await upsertStartupChange(tx, {
    ...{ tenantId, serviceId, id: newId(), requestedAt: now, nextAt: now },
    environment: { ...open?.environment, ...wish.environment },
    dockerImage: wish.dockerImage ?? open?.dockerImage ?? null,
    startupCommand: wish.startup ?? open?.startupCommand ?? null,
  })
  await enqueue(tx, applyStartup, { tenantId, serviceId })
}

/** The panel has accepted the start-up: it is stored in the service. */
export async function completeStartup(
  tx: Tx,
  change: StartupChangeRow,
  now: Instant,
): Promise<void> {
  const { tenantId, serviceId, dockerImage, startupCommand } = change
  const service = await lockService(tx, { tenantId, id: serviceId })
  const isLast = await updateStartupChange(tx, change, { appliedAt: now, nextAt: null })
  if (!service || service.endedAt || !isLast) return
  await updateChosen(tx, service, {
    environment: { ...service.environment, ...change.environment },
    dockerImage: dockerImage ?? service.dockerImage,
    startupCommand: startupCommand ?? service.startupCommand,
  })
}

/** Sends the start-up to the panel later, and enqueues the job for it. */
export async function retryStartup(
  tx: Tx,
  change: StartupChangeRow,
  { nextAt, failure }: { nextAt: Instant; failure?: PanelFailure },
  now: Instant,
): Promise<void> {
  const { tenantId, serviceId, attempt } = change
  const tried = failure && { attempt: attempt + 1, lastError: failure }
  if (!(await updateStartupChange(tx, change, { nextAt, ...tried }))) return
  const startAfterSeconds = Math.ceil(Math.max(0, millis(nextAt) - millis(now)) / SECOND_MS)
  await enqueue(tx, applyStartup, { tenantId, serviceId }, { startAfterSeconds, key: serviceId })
}

/** The panel refuses the start-up, or is unavailable for good: the server starts as before. */
export async function failStartup(
  tx: Tx,
  change: StartupChangeRow,
  failure: PanelFailure,
  now: Instant,
): Promise<void> {
  await updateStartupChange(tx, change, { failedAt: now, nextAt: null, lastError: failure })
}
