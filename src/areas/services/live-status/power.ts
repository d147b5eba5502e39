import { conflict } from '#lib/problem.ts'
import { clientOf, type PanelClient, PanelError } from '#panel'
import type { Db, Tx } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { ServiceView } from '../queries.ts'
import { assertActive, assertServer } from '../rules.ts'
import { panelProblem } from './problems.ts'
import type { PowerAction } from './schema.ts'
import { forgetStatus } from './status.ts'

/** Runs an action on the server of an active service. Throws 409 and 502. */
export async function onServer(
  deps: Deps,
  db: Db,
  service: ServiceView,
  work: (client: PanelClient, server: { id: number; uuid: string }) => Promise<void>,
): Promise<void> {
  assertServer(service)
  assertActive(service)
  const { tenantId, nodeId, serverId: id, serverUuid: uuid } = service
  if (!nodeId || id === null || !uuid) {
    throw conflict('This service has no server on a connected panel.', 'unmanaged')
  }
  try {
    await work(await clientOf(deps, db, { tenantId, nodeId }), { id, uuid })
  } catch (error) {
    if (!(error instanceof PanelError)) throw error
    throw panelProblem(error)
  }
  forgetStatus(deps, service)
}

type Request = {
  readonly db: Db
  readonly transact: (work: (tx: Tx) => Promise<void>) => Promise<void>
}

/** Starts, stops or restarts the server of an active service. Throws 409 and 502. */
export function switchPower(
  deps: Deps,
  { db, transact }: Request,
  service: ServiceView,
  action: PowerAction['action'],
): Promise<void> {
  return onServer(deps, db, service, async (client, { uuid }) => {
    // Nothing is changed in our database except the audit log, which records the user, whatever the
    // panel answers.
    await transact(async () => {})
    await client.power(uuid, action)
  })
}
