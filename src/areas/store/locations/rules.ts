import { type Problem, unprocessable } from '#lib/problem.ts'
import { isOffered, type LocationRow } from '#panel'
import type { PriceRow } from '../components/queries.ts'
import { isSoldIn, type Terms } from '../components/rules.ts'

/** A location with its surcharges; without any it costs nothing. */
export type PricedLocation = LocationRow & { readonly prices: readonly PriceRow[] }

/** Why an item cannot be sold in its location: no location was chosen, or the product is not offered there. */
export type LocationFault = 'location_required' | 'location_unknown'

/** The location of a cart item; null for a product without locations. */
export type Chosen = {
  readonly location: PricedLocation | null
  readonly locationFault: LocationFault | null
}

/** Where a product is sold, and the location that its buyer chose. */
export type Choice = { readonly locationIds: readonly string[]; readonly locationId: string | null }

/**
 * The locations of a product that buyers may choose, in the order set by staff: on any of its plans, or in one cycle.
 */
export function offeredAmong(
  locationIds: readonly string[],
  known: readonly PricedLocation[],
  terms?: Terms,
): PricedLocation[] {
  const offered = known.filter((it) => locationIds.includes(it.id) && isOffered(it))
  return terms ? offered.filter((it) => isSoldIn(it, terms)) : offered
}

/**
 * The location of an item: a single one is chosen automatically; of several that are sold in its cycle the buyer
 * chooses.
 */
export function chosenOf(
  { locationIds, locationId }: Choice,
  known: readonly PricedLocation[],
  terms: Terms,
): Chosen {
  const offered = offeredAmong(locationIds, known, terms)
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

/** The message for a buyer about a location fault. */
export function locationFaultText(fault: LocationFault): string {
  return MESSAGES[fault]
}

/** The refusal of an item that cannot be sold in its location. */
export function notSoldThere(fault: LocationFault): Problem {
  const details = [{ path: 'locationId', message: MESSAGES[fault] }]
  return unprocessable(MESSAGES[fault], fault, details)
}
