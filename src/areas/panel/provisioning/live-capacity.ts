import { setTimeout as sleep } from 'node:timers/promises'
import { unprocessable } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import type { Outbound } from '#platform/outbound.ts'
import type { Need, PanelClient, PanelNode } from '../clients/contract.ts'
import { PanelError } from '../clients/panel-error.ts'
import { clientFor, type PanelDeps } from '../nodes/connections.ts'
import type { NodeRow } from '../nodes/queries.ts'
import { fits, placesFor } from './capacity.ts'
import type { Places } from './placements.ts'
import { listCandidates } from './queries.ts'
import type { Provisioning } from './schema.ts'

/** Somebody waits for the answer: a panel that takes longer counts as away. */
const WAIT_MS = 3000
const FRESH_MS = 15_000
const MAX_REMEMBERED = 1000

type Product = { tenantId: string; provisioning: Provisioning }

/**
 * How many servers of a product there is room for, by connection and in all; null while a panel is
 * away or slow, for that must not keep anybody from buying. Asks the panels: not in a transaction.
 */
export async function capacityOf(
  deps: PanelDeps,
  db: Db,
  { tenantId, provisioning }: Product,
): Promise<{ total: number | null; places: Places }> {
  const { eggId, nodeIds, locationIds, limits } = provisioning
  const candidates = await listCandidates(db, { tenantId, eggId, nodeIds })
  const { memoryMb, diskMb, cpuPercent } = limits
  const need = { memoryMb, diskMb, cpuPercent, locationIds }
  const entries = candidates.map(async ({ node }) => [node.id, await placesOn(deps, node, need)])
  const places = new Map((await Promise.all(entries)) as [string, number | null][])
  const known = [...places.values()]
  const total = known.includes(null) ? null : known.reduce((sum, it) => (sum ?? 0) + (it ?? 0), 0)
  return { total, places }
}

/** Throws 422 `no_capacity` when the panels are known to have no room for so many servers. */
export async function assertCapacity(
  deps: PanelDeps,
  db: Db,
  { count, ...product }: Product & { count: number },
): Promise<void> {
  const { total } = await capacityOf(deps, db, product)
  if (total === null || total >= count) return
  throw unprocessable('There is no room for this server at the moment.', 'no_capacity')
}

async function placesOn(deps: PanelDeps, node: NodeRow, need: Need): Promise<number | null> {
  const late = new AbortController()
  const counted = count(deps, node, need).catch((error: unknown) => {
    if (!(error instanceof PanelError)) deps.log.warn({ err: error }, 'capacity of a panel')
    return null
  })
  const waited = sleep(WAIT_MS, null, { signal: late.signal }).catch(() => null)
  const places = await Promise.race([counted, waited])
  late.abort()
  return places
}

async function count(deps: PanelDeps, node: NodeRow, need: Need): Promise<number> {
  const view = viewOf(deps, node)
  const machines = (await view.machines).filter((machine) => fits(machine, need))
  const counted = machines.map(async (machine) => ({
    ...machine,
    freePorts: await view.freePorts(machine.id),
  }))
  return placesFor(await Promise.all(counted), need)
}

/** What a panel said of its machines a moment ago. */
type View = {
  untilMs: number
  machines: Promise<PanelNode[]>
  freePorts(machineId: number): Promise<number>
}

const views = new WeakMap<Outbound, Map<string, View>>()

/** One question at a time, however many ask; an answer is believed for a few seconds. */
function viewOf(deps: PanelDeps, node: NodeRow): View {
  const known = views.get(deps.outbound) ?? new Map<string, View>()
  views.set(deps.outbound, known)
  const key = `${node.tenantId} ${node.id} ${node.version}`
  const view = known.get(key)
  if (view && view.untilMs > performance.now()) return view
  const fresh = newView(clientFor(deps, node))
  known.delete(key)
  known.set(key, fresh)
  const [oldest] = known.keys()
  if (known.size > MAX_REMEMBERED && oldest) known.delete(oldest)
  return fresh
}

function newView(client: Promise<PanelClient>): View {
  const ports = new Map<number, Promise<number>>()
  return {
    untilMs: performance.now() + FRESH_MS,
    machines: client.then((it) => it.listNodes()),
    freePorts(id) {
      const counted = ports.get(id) ?? client.then((it) => it.countFreeAllocations(id))
      ports.set(id, counted)
      return counted
    },
  }
}
