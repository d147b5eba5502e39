import type { Provisioning } from '../provisioning/schema.ts'
import type { LocationRow } from './queries.ts'
import type { RoomWord, ShownLocation } from './schema.ts'

/** A location of a panel, or a tag of its machines. */
export type Place = { readonly nodeId: string; readonly remoteId: string }

/**
 * What a server is made of, and where it may stand: in a location that was chosen, of which these are the
 * places, else wherever its product says.
 */
export type Build = Provisioning & { readonly places?: readonly Place[] | null }

/** The panel connections that a build may stand on among those its product names; null: the egg's own. */
export function nodesOf({
  nodeIds,
  places,
}: Pick<Build, 'nodeIds' | 'places'>): readonly string[] | null {
  if (!places) return nodeIds.length > 0 ? nodeIds : null
  const there = [...new Set(places.map(({ nodeId }) => nodeId))]
  return nodeIds.length > 0 ? nodeIds.filter((id) => there.includes(id)) : there
}

/** Which locations of a panel a build may stand in there; none named means any, where none was chosen. */
export function locationIdsOn(
  { locationIds, places }: Pick<Build, 'locationIds' | 'places'>,
  nodeId: string,
): string[] {
  if (!places) return [...locationIds]
  return places.filter((place) => place.nodeId === nodeId).map(({ remoteId }) => remoteId)
}

/** From how many places on a location counts as `available`. */
const AVAILABLE_FROM = 5

/**
 * The room for a build in words, of how many servers fit on each connection (null: not known). What is
 * known to be enough is told even if another panel is away.
 */
export function roomWord(places: readonly (number | null)[]): RoomWord {
  const known = places.reduce<number>((sum, it) => sum + (it ?? 0), 0)
  if (known >= AVAILABLE_FROM) return 'available'
  if (places.includes(null)) return 'unknown'
  return known > 0 ? 'few' : 'full'
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
