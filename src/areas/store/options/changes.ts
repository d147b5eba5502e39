import type { Detail } from '#lib/problem.ts'
import { listEggsByIds, type Provisioning } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { Component, Selected, Terms } from '../components/rules.ts'
import { type ProductOptions, repriced, type SelectedOption } from './components.ts'
import { brokenIn } from './offer.ts'
import { optionsNamed, optionsOf } from './queries.ts'
import { optionFault, type Situation, selectionOf, type Wish } from './selection.ts'
import { type Chosen, hasNoEffect } from './terms.ts'

/** What a service has of an option after a change; null if nothing is left. */
export type ChangedOption = { readonly key: string; readonly component: Component | null }

/** A service whose options are to change. */
export type Optioned = Pick<Situation, 'locationId' | 'isTrial' | 'isStaff'> & {
  readonly product: { readonly id: string; readonly provisioning: Provisioning | null }
  readonly terms: Terms
  /** What the service has beside its plan. */
  readonly kept: readonly Component[]
}

export type OptionChanges = {
  readonly changed: readonly ChangedOption[]
  /** The options in the wish that the service already has unchanged. */
  readonly unchanged: readonly string[]
  readonly faults: readonly Detail[]
}

/**
 * What a wish changes about the options of a service, at current prices, and all of its faults at once. Options that
 * the wish does not name stay as they are. Less of an option costs no more than the price that the service keeps; an
 * archived option may only be given up or lowered.
 */
export async function changedOptions(
  db: Db,
  tenantId: string,
  service: Optioned,
  wish: Wish,
): Promise<OptionChanges> {
  const { product, terms } = service
  const own = service.kept.filter(({ kind }) => kind === 'option')
  const offered = (await optionsOf(db, tenantId, [product.id])).get(product.id) ?? []
  const ids = own.map(({ sourceId }) => sourceId)
  const known = ids.length > 0 ? await optionsNamed(db, tenantId, ids) : []
  const eggId = product.provisioning?.eggId
  const [egg] = eggId ? await listEggsByIds(db, tenantId, [eggId]) : []
  const open = offered.filter(
    ({ archivedAt, hidden }) => !archivedAt && (service.isStaff || !hidden),
  )
  const isOpen = (key: string) => open.some((it) => it.key === key)
  const situation = {
    ...{ ...terms, locationId: service.locationId, isTrial: service.isTrial, isStaff: true },
    ...{ pieces: 1, isBroken: brokenIn(product.provisioning, egg) },
  }
  const before = wishOf(own, known)
  const wanted = Object.entries(wish)
  const after = { ...before, ...Object.fromEntries(wanted.filter(([key]) => isOpen(key))) }
  const [was, is] = [before, after].map((it) => selectionOf(offered, it, situation))
  const named = open.filter(({ key }) => Object.hasOwn(wish, key))
  const results = named.map(({ key }) => {
    const had = own.find((it) => it.key === key)
    const has = is?.chosen.find(({ option }) => option.key === key)
    const selected = has && !hasNoEffect(has) ? selectedOf(has) : null
    return { key, had, selected, isSame: has !== undefined && isAlike(had ?? null, selected) }
  })
  const unchanged = results.flatMap(({ key, isSame }) => (isSame ? [key] : []))
  const changed = results.flatMap(({ key, had, selected, isSame }): ChangedOption[] => {
    if (isSame) return []
    const priced = selected && repriced(offered, selected, terms)
    return [{ key, component: priced && lowered(priced, had) }]
  })
  const faults = (is?.faults ?? []).filter((it) => {
    const key = it.path.slice('options.'.length)
    if (named.some((option) => option.key === key)) return !unchanged.includes(key)
    const isOld = was?.faults.some(({ path, code }) => path === it.path && code === it.code)
    return it.code === 'requirement_missing' && !isOld
  })
  const rest = wanted
    .filter(([key]) => !isOpen(key))
    .map(([key, value]) => {
      const had = own.find((it) => it.key === key)
      const option = known.find(({ id }) => id === had?.sourceId)
      const mayKnow = had && (service.isStaff || !option?.hidden)
      return mayKnow ? lessOf({ had, value }, known, terms) : optionFault({ key }, 'option_unknown')
    })
  return {
    unchanged,
    changed: [...changed, ...rest.flatMap((it) => ('key' in it ? it : []))],
    faults: [...faults, ...rest.flatMap((it) => ('path' in it ? it : []))],
  }
}

/** A wish for the choices to change; an option that is given up is named with its current choice turned off. */
export async function wishFor(
  db: Db,
  tenantId: string,
  kept: readonly Selected[],
  changed: readonly ChangedOption[],
): Promise<Wish> {
  const wanted = changed.flatMap(({ component }) => component ?? [])
  const ids = wanted.map(({ sourceId }) => sourceId)
  const options = ids.length > 0 ? await optionsNamed(db, tenantId, ids) : []
  const gone = changed.filter(({ component }) => component === null)
  const off = gone.map(({ key }) => {
    const had = kept.find((it) => it.key === key)
    const isText = had !== undefined && had.text !== null
    return [key, had?.quantity == null ? (isText ? '' : false) : 0] as const
  })
  return { ...wishOf(wanted, options), ...Object.fromEntries(off) }
}

/** What a service has, as a wish names it; what the options do not have is left out. */
export function wishOf(own: readonly Selected[], options: ProductOptions): Wish {
  return Object.fromEntries(
    own.flatMap((it) => {
      const option = options.find(({ id }) => id === it.sourceId)
      const value = option?.values.find(({ id }) => id === it.valueId)
      const wished = value?.key ?? it.quantity ?? it.text
      return wished === null ? [] : [[it.key, wished] as const]
    }),
  )
}

/** A choice as it is stored with a service. */
export function selectedOf({ option, value, quantity, text }: Chosen): SelectedOption {
  const valueId = value?.id ?? null
  return { key: option.key, kind: 'option', sourceId: option.id, valueId, quantity, text }
}

/** Whether two selections are the same choice of the same option, whatever it costs. */
export function isAlike(a: Selected | null, b: Selected | null): boolean {
  if (!a || !b) return a === b
  return (
    a.sourceId === b.sourceId &&
    a.valueId === b.valueId &&
    a.quantity === b.quantity &&
    a.text === b.text
  )
}

/** A lowered choice costs at most what the service pays for the option now (S2.3). */
function lowered<C extends Component>(component: C, had: Component | undefined): C {
  const isLess =
    had?.sourceId === component.sourceId &&
    had.quantity !== null &&
    component.quantity !== null &&
    component.quantity < had.quantity
  if (!isLess || had.priceCents >= component.priceCents) return component
  return { ...component, priceCents: had.priceCents, priceMicros: had.priceMicros }
}

/** The allowed changes of an option that is no longer on sale: nothing, or a smaller quantity (S1.13). */
function lessOf(
  { had, value }: { had: Component; value: Wish[string] },
  options: ProductOptions,
  terms: Terms,
): ChangedOption | Detail {
  const { key, sourceId, quantity } = had
  const option = options.find(({ id }) => id === sourceId)
  if (value === false || value === 'off' || value === 0 || value === '') {
    return { key, component: null }
  }
  const isLess = typeof value === 'number' && quantity !== null && value < quantity
  if (!option || !isLess) return optionFault({ key, name: had.name ?? key }, 'value_archived')
  const [fault] = selectionOf(
    [{ ...option, archivedAt: null, hidden: false }],
    { [key]: value },
    {
      ...{ ...terms, locationId: null, isTrial: false, isStaff: true, pieces: 1 },
    },
  ).faults
  if (fault) return fault
  const selected = {
    key,
    kind: 'option' as const,
    sourceId,
    valueId: null,
    quantity: value,
    text: null,
  }
  const priced = repriced(options, selected, terms)
  return priced
    ? { key, component: lowered(priced, had) }
    : optionFault({ key }, 'option_not_offered')
}
