import { type Problem, unprocessable } from '#lib/problem.ts'
import { isOffered, type LocationRow } from '#panel'

/** Why a thing cannot be sold where it is wanted: nothing was chosen, or it is not offered there. */
export type LocationFault = 'location_required' | 'location_unknown'

/** Where a thing in a cart is to stand; null for a product without locations. */
export type Chosen = {
  readonly location: LocationRow | null
  readonly locationFault: LocationFault | null
}

/** Where a product is sold, and what its buyer chose of it. */
export type Choice = { readonly locationIds: readonly string[]; readonly locationId: string | null }

/** The locations of a product that buyers may choose, as they were arranged. */
export function offeredAmong(
  locationIds: readonly string[],
  known: readonly LocationRow[],
): LocationRow[] {
  return known.filter((it) => locationIds.includes(it.id) && isOffered(it))
}

/** Where something is to stand: a single location is chosen by itself, of several the buyer chooses one. */
export function chosenOf(
  { locationIds, locationId }: Choice,
  known: readonly LocationRow[],
): Chosen {
  const offered = offeredAmong(locationIds, known)
  const [only] = offered
  if (locationIds.length === 0 && locationId === null)
    return { location: null, locationFault: null }
  if (locationId === null && offered.length > 1) return faulty('location_required')
  const location = locationId === null ? only : offered.find(({ id }) => id === locationId)
  return location ? { location, locationFault: null } : faulty('location_unknown')
}

function faulty(locationFault: LocationFault): Chosen {
  return { location: null, locationFault }
}

const MESSAGES: Readonly<Record<LocationFault, string>> = {
  location_required: 'Choose where the server is to stand.',
  location_unknown: 'This product is not sold in this location.',
}

/** What a buyer is told of it. */
export function locationFaultText(fault: LocationFault): string {
  return MESSAGES[fault]
}

/** The refusal of something that cannot be sold where it is wanted. */
export function notSoldThere(fault: LocationFault): Problem {
  const details = [{ path: 'locationId', message: MESSAGES[fault] }]
  return unprocessable(MESSAGES[fault], fault, details)
}
