import type { Instant } from '#lib/time.ts'
import type { Need } from '../clients/contract.ts'
import { fits, freeOn, type Machine, placesFor } from '../provisioning/capacity.ts'

/** Where servers of some builds may be placed, and what panels reported about their machines. */
export type RoomSurvey = {
  /** Read before the panels were asked: a server created since may be missing in their answers. */
  readonly takenAt: Instant
  /** What a server of a build needs on each connection that it may use; by the key of the build. */
  readonly offers: ReadonlyMap<string, Offer>
  /** The machines of a connection; null while its panel is unavailable or slow. */
  readonly machines: ReadonlyMap<string, readonly Machine[] | null>
  /** The panel of each connection: of these, and of all others that lead to one of their panels. */
  readonly panels: ReadonlyMap<string, string>
}

export type Offer = { readonly needs: ReadonlyMap<string, Need> }

/** A place on a connection that is reserved for a server. */
export type Promised = { readonly nodeId: string; readonly need: Need }

/** A server, and the key of its build. */
export type Wanted = { readonly id: string; readonly build: string }

/**
 * The connection for each server, by server: the one with the most room, otherwise one with unknown room,
 * because an unavailable panel must not prevent a purchase. Reservations are subtracted first. Undefined if
 * the panels are known to have no room for all of them.
 */
export function placesFound(
  survey: RoomSurvey,
  promised: readonly Promised[],
  wanted: readonly Wanted[],
): Map<string, string> | undefined {
  const { found, full } = placed(survey, promised, wanted)
  return full === null ? found : undefined
}

/** Places servers one after the other, up to the first one without room for its build. */
function placed(
  survey: RoomSurvey,
  promised: readonly Promised[],
  wanted: readonly Wanted[],
): { found: Map<string, string>; full: string | null } {
  const left = roomAfter(survey, promised)
  const found = new Map<string, string>()
  for (const { id, build } of wanted) {
    const offer = survey.offers.get(build)
    if (!offer) continue
    const place = roomiest(offer, left)
    if (!place) return { found, full: build }
    take(left(place.nodeId) ?? [], place.need)
    found.set(id, place.nodeId)
  }
  return { found, full: null }
}

/**
 * How many servers of a build still fit on each connection on which it may be placed, minus reservations;
 * null if a panel is unavailable. Empty for a build that may be placed nowhere.
 */
export function placesLeft(
  survey: RoomSurvey,
  promised: readonly Promised[],
  build: string,
): (number | null)[] {
  const left = roomAfter(survey, promised)
  // Connections to one panel share its machines: each panel is counted once.
  const counted = new Map<string, number | null>()
  for (const [nodeId, need] of survey.offers.get(build)?.needs ?? []) {
    const machines = left(nodeId)
    const panel = survey.panels.get(nodeId) ?? nodeId
    const before = counted.get(panel) ?? 0
    counted.set(panel, machines && Math.max(before, placesFor(machines, need)))
  }
  return [...counted.values()]
}

/** What may be created instead of a build: the same in another location, by the key of that build. */
export type Alternative = { readonly build: string; readonly slug: string }

/**
 * The slugs of the locations in which everything wanted would have places, if what has no room were created
 * there instead.
 */
export function alternativesFor(
  survey: RoomSurvey,
  promised: readonly Promised[],
  wanted: readonly Wanted[],
  others: ReadonlyMap<string, readonly Alternative[]>,
): string[] {
  const { full } = placed(survey, promised, wanted)
  const elsewhere = (full !== null && others.get(full)) || []
  return elsewhere.flatMap(({ build, slug }) => {
    const moved = wanted.map((it) => (it.build === full ? { ...it, build } : it))
    return placesFound(survey, promised, moved) ? [slug] : []
  })
}

type Room = (nodeId: string) => Machine[] | null

/** Copies of all machines, to count on; connections to one panel share the panel's machines. */
function roomOf({ machines, panels }: RoomSurvey): Room {
  const byPanel = new Map<string, Map<number, Machine>>()
  for (const [nodeId, known] of machines) {
    const panel = panels.get(nodeId)
    if (!known || panel === undefined) continue
    const pool = byPanel.get(panel) ?? new Map<number, Machine>()
    for (const machine of known) {
      // Each connection counts ports only in places where its own servers may be.
      const freePorts = Math.min(machine.freePorts, pool.get(machine.id)?.freePorts ?? Infinity)
      pool.set(machine.id, { ...machine, freePorts })
    }
    byPanel.set(panel, pool)
  }
  const lists = new Map([...byPanel].map(([panel, pool]) => [panel, [...pool.values()]]))
  return (nodeId) => lists.get(panels.get(nodeId) ?? '') ?? null
}

/** The room that is left on the machines once everything reserved is placed. */
function roomAfter(survey: RoomSurvey, promised: readonly Promised[]): Room {
  const left = roomOf(survey)
  for (const { nodeId, need } of promised) take(left(nodeId) ?? [], need)
  return left
}

function roomiest({ needs }: Offer, left: Room): { nodeId: string; need: Need } | undefined {
  const counted = [...needs].map(([nodeId, need]) => {
    const machines = left(nodeId)
    return { nodeId, need, places: machines ? placesFor(machines, need) : null }
  })
  const known = counted.flatMap((it) => (it.places ? { ...it, places: it.places } : []))
  const [first] = known.sort((a, b) => b.places - a.places)
  return first ?? counted.find(({ places }) => places === null)
}

/**
 * Takes a place on the fullest machine that has one. The panel itself chooses the machine, so this is the
 * room in the best case.
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
