import type { Instant } from '#lib/time.ts'
import type { Need } from '../clients/contract.ts'
import { fits, freeOn, type Machine, placesFor } from '../provisioning/capacity.ts'

/** Where servers of some products may stand, and what panels said of their machines. */
export type RoomSurvey = {
  /** Before the panels were asked: a server that was made since may be missing there. */
  readonly takenAt: Instant
  /** What a server of a product takes, and the connections it may stand on; by product. */
  readonly offers: ReadonlyMap<string, Offer>
  /** The machines of a connection; null while its panel is away or slow. */
  readonly machines: ReadonlyMap<string, readonly Machine[] | null>
  /** Which panel a connection leads to: of these, and of all others that lead to one of theirs. */
  readonly panels: ReadonlyMap<string, string>
}

export type Offer = { readonly nodeIds: readonly string[]; readonly need: Need }

/** A place on a connection that a server was promised. */
export type Promised = { readonly nodeId: string; readonly need: Need }

export type Wanted = { readonly id: string; readonly productId: string }

/**
 * On which connection each server goes, by server: the one with the most room, else one of which that is
 * not known, for a panel that is away keeps nobody from buying. What is promised is taken off before.
 * Undefined when the panels are known to have no room for all of them.
 */
export function placesFound(
  survey: RoomSurvey,
  promised: readonly Promised[],
  wanted: readonly Wanted[],
): Map<string, string> | undefined {
  const left = roomOf(survey)
  for (const { nodeId, need } of promised) take(left(nodeId) ?? [], need)
  const found = new Map<string, string>()
  for (const { id, productId } of wanted) {
    const { nodeIds = [], need } = survey.offers.get(productId) ?? {}
    if (!need) continue
    const nodeId = roomiest(nodeIds, left, need)
    if (nodeId === undefined) return undefined
    take(left(nodeId) ?? [], need)
    found.set(id, nodeId)
  }
  return found
}

type Room = (nodeId: string) => Machine[] | null

/** The machines that connections lead to, to be counted on: those of one panel are there once for all. */
function roomOf({ machines, panels }: RoomSurvey): Room {
  const byPanel = new Map<string, Map<number, Machine>>()
  for (const [nodeId, known] of machines) {
    const panel = panels.get(nodeId)
    if (!known || panel === undefined) continue
    const pool = byPanel.get(panel) ?? new Map<number, Machine>()
    for (const machine of known) {
      // Each connection counts ports only where its own servers may go.
      const freePorts = Math.min(machine.freePorts, pool.get(machine.id)?.freePorts ?? Infinity)
      pool.set(machine.id, { ...machine, freePorts })
    }
    byPanel.set(panel, pool)
  }
  const lists = new Map([...byPanel].map(([panel, pool]) => [panel, [...pool.values()]]))
  return (nodeId) => lists.get(panels.get(nodeId) ?? '') ?? null
}

function roomiest(nodeIds: readonly string[], left: Room, need: Need): string | undefined {
  const counted = nodeIds.map((id) => {
    const machines = left(id)
    return { id, places: machines ? placesFor(machines, need) : null }
  })
  const known = counted.flatMap(({ id, places }) => (places ? { id, places } : []))
  const [first] = known.sort((a, b) => b.places - a.places)
  return (first ?? counted.find(({ places }) => places === null))?.id
}

/**
 * Takes a place on the fullest machine that has one. The panel chooses by its own mind, so this is how
 * much room there will be at best.
 */
function take(machines: Machine[], need: Need): void {
  let fullest: Machine | undefined
  for (const machine of machines) {
    if (machine.freePorts < 1 || !fits(machine, need)) continue
    if (!fullest || freeOn(machine).memoryMb < freeOn(fullest).memoryMb) fullest = machine
  }
  if (!fullest) return
  fullest.memoryAllocatedMb += need.memoryMb
  fullest.diskAllocatedMb += need.diskMb
  fullest.cpuAllocatedPercent += need.cpuPercent
  fullest.freePorts -= 1
}
