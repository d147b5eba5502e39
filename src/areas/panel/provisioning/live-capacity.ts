import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import type { Outbounds } from '#platform/outbound-uses.ts'
import type { Need, PanelClient, PanelLocation, PanelNode } from '../clients/contract.ts'
import { PanelError } from '../clients/panel-error.ts'
import { type Build, locationIdsOn } from '../locations/rules.ts'
import { clientFor, type PanelDeps } from '../nodes/connections.ts'
import type { NodeRow } from '../nodes/queries.ts'
import { panelOf } from '../nodes/rules.ts'
import { type Offer, placesFound, type RoomSurvey } from '../reservations/rules.ts'
import { fits, type Machine, placesFor } from './capacity.ts'
import type { Places } from './placements.ts'
import { listCandidates, listNodesAmong } from './queries.ts'

/** A user waits for the answer: a panel that takes longer counts as unavailable. */
const WAIT_MS = 3000
const FRESH_MS = 15_000
const MAX_REMEMBERED = 1000

type Wanted = { tenantId: string; build: Build }

/**
 * How many more servers of a build fit on each connection; null while a panel is unavailable or slow. Asks
 * the panels: not in a transaction.
 */
export async function capacityOf(
  deps: PanelDeps,
  db: Db,
  { tenantId, build }: Wanted,
): Promise<Places> {
  const candidates = await listCandidates(db, { tenantId, ...build })
  const entries = candidates.map(async ({ node }) => {
    const need = needOn(build, node.id)
    const machines = await machinesOf(deps, node, [need])
    return [node.id, machines && placesFor(machines, need)] as const
  })
  return new Map(await Promise.all(entries))
}

/**
 * Asks the panels on which servers of these builds may be placed, each once; the caller chooses the keys of
 * builds. Builds without a server are left out. A cached answer without enough room is not trusted but asked
 * for again, because room that was freed since can be sold. Asks the panels: not in a transaction.
 */
export async function surveyRoom(
  deps: PanelDeps,
  db: Db,
  tenantId: string,
  builds: ReadonlyMap<string, Build>,
  wanted: Iterable<string> = builds.keys(),
): Promise<RoomSurvey> {
  const offers = new Map<string, Offer>()
  const nodes = new Map<string, { node: NodeRow; needs: Need[] }>()
  for (const [key, build] of builds) {
    const candidates = await listCandidates(db, { tenantId, ...build })
    const needs = candidates.map(({ node }) => [node.id, needOn(build, node.id)] as const)
    offers.set(key, { needs: new Map(needs) })
    for (const { node } of candidates) {
      const others = nodes.get(node.id)?.needs ?? []
      nodes.set(node.id, { node, needs: [...others, needOn(build, node.id)] })
    }
  }
  const known = [...nodes.values()].map(({ node }) => node)
  const panels = panelsAmong(known, await listNodesAmong(db, tenantId, null))
  const askedMs = performance.now()
  const survey = await surveyOf(deps, { offers, panels }, nodes)
  const oneOfEach = [...wanted].map((build) => ({ id: build, build }))
  if (placesFound(survey, [], oneOfEach)) return survey
  for (const node of known) forgetView(deps, node, askedMs)
  return surveyOf(deps, { offers, panels }, nodes)
}

/** The panel of each of these connections, and of all others that lead to one of those panels. */
function panelsAmong(nodes: readonly NodeRow[], all: readonly NodeRow[]): Map<string, string> {
  const asked = new Set(nodes.map(panelOf))
  const leading = [...nodes, ...all].map((node) => [node.id, panelOf(node)] as const)
  return new Map(leading.filter(([, panel]) => asked.has(panel)))
}

async function surveyOf(
  deps: PanelDeps,
  where: Pick<RoomSurvey, 'offers' | 'panels'>,
  nodes: ReadonlyMap<string, { node: NodeRow; needs: Need[] }>,
): Promise<RoomSurvey> {
  const views = [...nodes.values()].map(({ node }) => viewOf(deps, node))
  const entries = [...nodes].map(async ([id, { node, needs }]) => {
    return [id, await machinesOf(deps, node, needs)] as const
  })
  const takenAt = views.reduce(
    (first, view) => (view.takenAt < first ? view.takenAt : first),
    deps.clock.now(),
  )
  return { takenAt, ...where, machines: new Map(await Promise.all(entries)) }
}

/** What a server of a build needs on a connection, and where on it the server may be placed. */
export function needOn(build: Build, nodeId: string): Need {
  const { memoryMb, diskMb, cpuPercent } = build.limits
  return { memoryMb, diskMb, cpuPercent, locationIds: locationIdsOn(build, nodeId) }
}

async function machinesOf(
  deps: PanelDeps,
  node: NodeRow,
  needs: readonly Need[],
): Promise<Machine[] | null> {
  const late = new AbortController()
  const asked = askFor(deps, node, needs).catch((error: unknown) => {
    if (!(error instanceof PanelError))
      deps.log.warn({ err: error }, 'the capacity of a panel could not be read')
    return null
  })
  const { askedMs, isPending } = viewOf(deps, node)
  // A panel for which other requests have already waited counts as unavailable until it answers.
  const waitMs = isPending() ? Math.max(0, askedMs + WAIT_MS - performance.now()) : WAIT_MS
  const waited = sleep(waitMs, null, { signal: late.signal }).catch(() => null)
  const machines = await Promise.race([asked, waited])
  late.abort()
  return machines
}

/** Ports are counted only if they matter. */
async function askFor(deps: PanelDeps, node: NodeRow, needs: readonly Need[]): Promise<Machine[]> {
  const view = viewOf(deps, node)
  const counted = (await view.machines).map(async (machine) => {
    const matters = needs.some((need) => fits(machine, need))
    return { ...machine, freePorts: matters ? await view.freePorts(machine.id) : Infinity }
  })
  return Promise.all(counted)
}

/** A panel's recent answer about its machines. */
export type View = {
  takenAt: Instant
  askedMs: number
  machines: Promise<PanelNode[]>
  /** Whether the panel has not answered yet. */
  isPending(): boolean
  locations(): Promise<PanelLocation[]>
  freePorts(machineId: number): Promise<number>
}

const views = new WeakMap<Outbounds, Map<string, View>>()

/** One request at a time, however many callers; an answer is reused for a few seconds. */
function viewOf(deps: PanelDeps, node: NodeRow): View {
  const known = views.get(deps.outbound) ?? new Map<string, View>()
  views.set(deps.outbound, known)
  const key = keyOf(node)
  const view = known.get(key)
  if (view && view.askedMs + FRESH_MS > performance.now()) return view
  const fresh = newView(clientFor(deps, node), deps.clock.now())
  known.delete(key)
  known.set(key, fresh)
  const [oldest] = known.keys()
  if (known.size > MAX_REMEMBERED && oldest) known.delete(oldest)
  return fresh
}

/** Forgets a panel's answer to a request before `askedMs`; a later request is recent enough. */
function forgetView(deps: PanelDeps, node: NodeRow, askedMs: number): void {
  const known = views.get(deps.outbound)
  const view = known?.get(keyOf(node))
  if (view && view.askedMs < askedMs) known?.delete(keyOf(node))
}

function keyOf({ tenantId, id, version }: NodeRow): string {
  return `${tenantId} ${id} ${version}`
}

/** Asks a panel about its machines now. */
export function newView(client: Promise<PanelClient>, takenAt: Instant): View {
  const ports = new Map<number, Promise<number>>()
  let locations: Promise<PanelLocation[]> | null = null
  let isPending = true
  const settled = () => {
    isPending = false
  }
  const machines = client.then((it) => it.listNodes())
  machines.then(settled, settled)
  return {
    takenAt,
    askedMs: performance.now(),
    machines,
    isPending: () => isPending,
    locations() {
      locations ??= client.then((it) => it.listLocations())
      return locations
    },
    freePorts(id) {
      const counted = ports.get(id) ?? client.then((it) => it.countFreeAllocations(id))
      ports.set(id, counted)
      return counted
    },
  }
}
