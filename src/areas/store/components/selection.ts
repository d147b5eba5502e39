import type { Detail } from '#lib/problem.ts'
import { type EggRow, listEggsByIds, type Provisioning } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { locationsNamed, withLocations } from '../locations/queries.ts'
import type { Choice, Chosen, PricedLocation } from '../locations/rules.ts'
import { buildWith, chosenOptions, type ProductOptions, repriced } from '../options/components.ts'
import { brokenIn } from '../options/offer.ts'
import { optionsNamed, optionsOf } from '../options/queries.ts'
import type { Wish } from '../options/selection.ts'
import { type Component, isSoldIn, locationComponent, type Selected, type Terms } from './rules.ts'

/** What a thing in a cart or a quote has beside its plan, each at its price, in the order of their lines. */
export type Selection = {
  readonly components: readonly Component[]
  /** All faults of the options that the buyer wants. */
  readonly optionFaults: readonly Detail[]
}

/** An item that a buyer wants, with the options that they want. */
type Wanted = Choice &
  Omit<Terms, 'currency'> & {
    readonly productId: string
    readonly provisioning: Provisioning | null
    readonly options: Wish
    readonly quantity: number
    readonly trialDays: number
    readonly trial: boolean
    readonly tried: boolean
  }

/** Items that buyers want in a currency, with the location and the components of each. */
export async function withSelections<T extends Wanted>(
  db: Db,
  { tenantId, currency }: { tenantId: string; currency: string },
  items: readonly T[],
): Promise<(T & Chosen & Selection)[]> {
  const productIds = [...new Set(items.map(({ productId }) => productId))]
  const [placed, options] = await Promise.all([
    withLocations(db, { tenantId, currency }, items),
    optionsOf(db, tenantId, productIds),
  ])
  const sold = items.filter(({ productId }) => options.has(productId))
  const eggIds = new Set(sold.flatMap(({ provisioning }) => provisioning?.eggId ?? []))
  const rows = eggIds.size > 0 ? await listEggsByIds(db, tenantId, [...eggIds]) : []
  const eggs = new Map(rows.map((egg) => [egg.id, egg]))
  return placed.map((item) => {
    const offered = options.get(item.productId) ?? []
    const egg = eggs.get(item.provisioning?.eggId ?? '')
    return { ...item, ...selectionFor(item, { offered, egg, currency }) }
  })
}

type Offer = {
  readonly offered: ProductOptions
  readonly egg: EggRow | undefined
  currency: string
}

function selectionFor(item: Wanted & Chosen, { offered, egg, currency }: Offer): Selection {
  const { interval, intervalCount, location, quantity, trialDays, tried, trial } = item
  const terms = { interval, intervalCount, currency }
  const there = location && locationComponent(location, terms)
  const { components, faults } = chosenOptions(offered, item.options, {
    ...{ ...terms, locationId: location?.id ?? null, pieces: quantity, isStaff: false },
    isTrial: trialDays > 0 && quantity === 1 && !tried && trial,
    isBroken: brokenIn(item.provisioning, egg),
  })
  const had = components.filter((it) => !isNothingOf(offered, it))
  return { components: [...(there ? [there] : []), ...had], optionFaults: faults }
}

/** Whether a selection is of nothing: a toggle that is off, a quantity of 0, an empty text. It is not stored. */
function isNothingOf(offered: ProductOptions, { sourceId, ...it }: Selected): boolean {
  if (it.quantity === 0 || it.text === '') return true
  const option = offered.find(({ id }) => id === sourceId)
  const value = option?.values.find(({ id }) => id === it.valueId)
  return option?.kind === 'toggle' && value?.key === 'off' && value.effect === null
}

/** What was chosen for a service, to be priced in a cycle and currency. */
export type ToPrice = { readonly terms: Terms; readonly selected: readonly Selected[] }

/**
 * The current components of selections, in their order, also those that buyers are no longer offered. Locations without
 * surcharges are left out. Null for a service with a selection that has no price in its cycle and currency.
 */
export async function priceSelections(
  db: Db,
  tenantId: string,
  wanted: readonly ToPrice[],
): Promise<(Component[] | null)[]> {
  const selected = wanted.flatMap((it) => it.selected)
  const idsOf = (wish: Selected['kind']) =>
    selected.flatMap(({ kind, sourceId }) => (kind === wish ? [sourceId] : []))
  const locations = await locationsNamed(db, tenantId, idsOf('location'))
  const options = await optionsKept(db, tenantId, idsOf('option'))
  const known = new Map(locations.map((it) => [it.id, it]))
  return wanted.map(({ terms, selected: chosen }) => {
    const priced = chosen.map((it) =>
      it.kind === 'location' ? placeOf(it, terms, known) : optionOf(it, terms, options),
    )
    if (priced.includes(undefined)) return null
    return priced.filter((it) => it !== null && it !== undefined)
  })
}

/** A location with its surcharge; null if it has no surcharges at all, undefined if it has no price in these terms. */
function placeOf(
  { sourceId }: Selected,
  terms: Terms,
  known: ReadonlyMap<string, PricedLocation>,
): Component | null | undefined {
  const location = known.get(sourceId)
  if (!location || !isSoldIn(location, terms)) return undefined
  return locationComponent(location, terms)
}

/** An option with its price, at its former position; undefined if it has no price in these terms. */
function optionOf(
  selected: Selected & { readonly position?: number },
  terms: Terms,
  options: ProductOptions,
): Component | undefined {
  const priced = repriced(options, { ...selected, kind: 'option' }, terms)
  if (!priced) return undefined
  return { ...priced, position: selected.position ?? priced.position }
}

async function optionsKept(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ProductOptions> {
  return ids.length > 0 ? optionsNamed(db, tenantId, [...new Set(ids)]) : []
}

/** What a server is made of. */
type Made = {
  readonly provisioning: Provisioning | null
  readonly components: readonly Selected[]
}

/** What options decide in addition to what a server is made of. */
type Decided = {
  readonly variables?: readonly string[]
  readonly dockerImage?: string | null
  readonly startup?: string | null
}

/** What servers are made of with the options chosen for each, in their order; no statement if no option was chosen. */
export async function withBuilds<T extends Made>(
  db: Db,
  tenantId: string,
  things: readonly T[],
): Promise<(T & Decided)[]> {
  const chosen = things.flatMap(({ components }) => components.filter(isOption))
  if (chosen.length === 0) return [...things]
  const options = await optionsKept(
    db,
    tenantId,
    chosen.map(({ sourceId }) => sourceId),
  )
  return things.map((thing) => {
    const own = thing.components.filter(isOption)
    if (!thing.provisioning || own.length === 0) return thing
    const { provisioning, dockerImage, startup } = buildWith(thing.provisioning, options, own)
    const before = new Set(thing.provisioning.choices?.lockedVariables)
    const locked = provisioning.choices?.lockedVariables ?? []
    const variables = locked.filter((env) => !before.has(env))
    return { ...thing, provisioning, dockerImage, startup, variables }
  })
}

function isOption(it: Selected): it is Selected & { readonly kind: 'option' } {
  return it.kind === 'option'
}
