import type { Provisioning } from '../provisioning/schema.ts'
import type { LocationRow } from './queries.ts'
import type { RoomWord, ShownLocation } from './schema.ts'

/** A location of a panel, or a tag of its machines. */
export type Place = { readonly nodeId: string; readonly remoteId: string }

/**
 * What a server is created from, and where it may be placed: in a chosen location, which has these places,
 * otherwise wherever its product allows.
 */
export type Build = Provisioning & { readonly places?: readonly Place[] | null }

/** The panel connections on which a build may be placed, among those its product names; null: the egg's own. */
export function nodesOf({
  nodeIds,
  places,
}: Pick<Build, 'nodeIds' | 'places'>): readonly string[] | null {
  if (!places) return nodeIds.length > 0 ? nodeIds : null
  const there = [...new Set(places.map(({ nodeId }) => nodeId))]
  return nodeIds.length > 0 ? nodeIds.filter((id) => there.includes(id)) : there
}

/** The locations of a panel in which a build may be placed; empty means any, if none was chosen. */
export function locationIdsOn(
  { locationIds, places }: Pick<Build, 'locationIds' | 'places'>,
  nodeId: string,
): string[] {
  if (!places) return [...locationIds]
  return places.filter((place) => place.nodeId === nodeId).map(({ remoteId }) => remoteId)
}

/** The number of places from which a location counts as `available`. */
const AVAILABLE_FROM = 5

/**
 * The room for this many servers of a build as a word, from how many fit on each connection (null: not known).
 * Room that is known to be enough is reported even if another panel is unavailable.
 */
export function roomWord(places: readonly (number | null)[], wanted = 1): RoomWord {
  const known = places.reduce<number>((sum, it) => sum + (it ?? 0), 0)
  if (known >= Math.max(AVAILABLE_FROM, wanted)) return 'available'
  if (places.includes(null)) return 'unknown'
  return known >= wanted ? 'few' : 'full'
}

const BEST_FIRST: readonly RoomWord[] = ['available', 'few', 'unknown', 'full']

/** The room for a build that may be placed in any of several locations; null if there are none. */
export function bestRoom(words: readonly RoomWord[]): RoomWord | null {
  return BEST_FIRST.find((word) => words.includes(word)) ?? null
}

/** Whether buyers may choose a location. */
export function isOffered({
  hidden,
  archivedAt,
}: Pick<LocationRow, 'hidden' | 'archivedAt'>): boolean {
  return !hidden && archivedAt === null
}

/** A location as buyers and customers see it. */
export function shownLocation({ id, slug, name, country, city }: ShownLocation): ShownLocation {
  return { id, slug, name, country, city }
}
