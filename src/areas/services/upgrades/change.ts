import { unprocessable } from '#lib/problem.ts'
import {
  canGrow,
  clientOf,
  type EggRow,
  type Environment,
  environmentFor,
  outcomeOf,
  type PanelClient,
  type PanelDeps,
  PanelError,
  type PanelFailure,
  type PanelServer,
  type Provisioning,
} from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { findProduct, type ProductRow } from '#store'
import { buildOf, placeFor } from '../provisioning/placement.ts'
import { findService, type ServiceRow } from '../queries.ts'
import type { UpgradeRow } from './queries.ts'
import { keptValues } from './rules.ts'

type Change = {
  service: ServiceRow
  client: PanelClient
  /** What the service is on, and what it goes to. */
  from: Provisioning | null
  to: Provisioning
}

/**
 * Makes a paid change on the panel: start-up, then build, each of which may be repeated. Null when
 * it is done; else why it is not, and after a refusal the server is as it was.
 */
export async function makeChange(
  context: JobContext,
  { tenantId, serviceId, productId }: UpgradeRow,
): Promise<PanelError | PanelFailure | null> {
  const { db, clock } = context
  const at = clock.now()
  const service = await findService(db, { tenantId, id: serviceId })
  if (!service || service.endedAt || service.endWantedAt) {
    return { code: 'service_ended', detail: 'It has ended, or is about to.', at }
  }
  if (!service.nodeId) return { code: 'unmanaged', detail: 'Its panel was disconnected.', at }
  const product = await findProduct(db, { tenantId, id: productId })
  if (!product?.provisioning) {
    return { code: 'no_blueprint', detail: 'The product does not say what to install.', at }
  }
  const current = await findProduct(db, { tenantId, id: service.productId })
  const client = await outcomeOf(clientOf(context, db, { tenantId, nodeId: service.nodeId }))
  if (client instanceof PanelError) return client
  const change = { service, client, from: current?.provisioning ?? null, to: product.provisioning }
  return outcomeOf(apply(context, change))
}

/** What a panel refuses stays refused; any other failure may pass. */
export function isRefusal({ kind }: PanelError): boolean {
  return kind === 'invalid' || kind === 'no_allocation' || kind === 'no_capacity'
}

async function apply(context: JobContext, change: Change): Promise<PanelFailure | null> {
  const { service, client, to } = change
  const at = context.clock.now()
  const plan = await placeFor(context, service, to)
  if (!plan) return { code: 'no_egg', detail: 'The product’s egg is not on this panel.', at }
  const server = await client.findServerByExternalId(service.externalId)
  if (!server) return { code: 'server_gone', detail: 'The server is not on the panel.', at }
  if (!(await hasRoom(client, server, to))) {
    return { code: 'no_capacity', detail: 'Its machine has no room for the change.', at }
  }
  if (await isOverDisk(client, server, to)) {
    return { code: 'disk_in_use', detail: 'It uses more disk than the new product has.', at }
  }
  const { limits, featureLimits } = buildOf(to)
  // Refused more often than a build, and first, so that most refusals leave nothing behind.
  await client.updateStartup(server.id, startupOf(change, plan, server))
  const built = await outcomeOf(client.updateBuild(server.id, { limits, featureLimits }))
  if (!(built instanceof PanelError)) return null
  if (isRefusal(built)) {
    const { eggId, image, startup, environment } = server
    const before = { eggId, image, startup, environment, skipScripts: false }
    const restored = await outcomeOf(client.updateStartup(server.id, before))
    if (restored instanceof PanelError) {
      const detail = `${built.failure.detail} Its start-up could not be restored.`
      return { ...built.failure, detail, at }
    }
  }
  throw built
}

/** The start-up after a change; with the same egg, the image and command stay what they are. */
function startupOf(
  { service, from, to }: Change,
  { egg, remoteEggId }: { egg: EggRow; remoteEggId: number },
  server: PanelServer,
) {
  const same = server.eggId === remoteEggId
  const image = egg.dockerImages[0]?.image ?? server.image
  const startup = egg.startupCommands[0]?.command ?? server.startup
  const kept = keptValues(egg.variables, {
    server: server.environment,
    plan: from?.environment ?? {},
  })
  const customer: Environment = { ...service.environment, ...kept }
  return {
    eggId: remoteEggId,
    image: same ? server.image : image,
    startup: same ? server.startup : startup,
    environment: environmentFor(egg, { plan: { ...kept, ...to.environment }, customer }),
    skipScripts: false,
  }
}

/** Panels check no capacity when a server grows, so this does. */
async function hasRoom(
  client: PanelClient,
  server: PanelServer,
  { limits }: Provisioning,
): Promise<boolean> {
  const machine = (await client.listNodes()).find((node) => node.id === server.nodeId)
  return !machine || canGrow(machine, { from: server.limits, to: limits })
}

const MIB = 1024 * 1024

/** Whether a server uses more disk than it would have. What nobody can say is no reason to refuse. */
async function isOverDisk(
  client: PanelClient,
  { uuid, limits: from }: PanelServer,
  { limits: to }: Provisioning,
): Promise<boolean> {
  const smaller = to.diskMb > 0 && (from.diskMb === 0 || to.diskMb < from.diskMb)
  if (!smaller) return false
  const used = await outcomeOf(client.resources(uuid))
  return !(used instanceof PanelError) && used.diskBytes > to.diskMb * MIB
}

/**
 * Asks the panel, before anything is paid, whether a change can be made. Throws 422 `no_capacity`
 * when its machine is full and `disk_in_use` when what is stored would not fit; a panel that is away
 * keeps nobody from ordering.
 */
export async function assertFits(
  deps: PanelDeps,
  db: Db,
  service: ServiceRow,
  { provisioning }: Pick<ProductRow, 'provisioning'>,
): Promise<void> {
  const { tenantId, nodeId, externalId } = service
  if (!nodeId || !provisioning) return
  const look = async () => {
    const client = await clientOf(deps, db, { tenantId, nodeId })
    const server = await client.findServerByExternalId(externalId)
    if (!server) return null
    const full = !(await hasRoom(client, server, provisioning))
    return { full, over: await isOverDisk(client, server, provisioning) }
  }
  const found = await outcomeOf(look())
  if (found instanceof PanelError || found === null) return
  if (found.full) {
    throw unprocessable('There is no room for this change at the moment.', 'no_capacity')
  }
  if (found.over) {
    throw unprocessable('The server uses more disk than that product has.', 'disk_in_use')
  }
}
