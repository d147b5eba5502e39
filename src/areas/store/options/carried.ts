import { cents } from '#lib/money.ts'
import type { Detail } from '#lib/problem.ts'
import { type EggRow, listEggsByIds, type Provisioning } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { Component, Selected, Terms } from '../components/rules.ts'
import { selectedOf, wishOf } from './changes.ts'
import { type ProductOptions, repriced } from './components.ts'
import { brokenIn } from './offer.ts'
import { optionsNamed, optionsOf } from './queries.ts'
import { optionFault, type Situation, selectionOf, type Wish } from './selection.ts'
import { type Chosen, hasNoEffect } from './terms.ts'

/** A plan that a service may change to. */
export type CarryTarget = {
  readonly product: { readonly id: string; readonly provisioning: Provisioning | null }
  readonly terms: Terms
}

/** What a service takes with it to another product. */
export type Carrying = Pick<Situation, 'locationId' | 'isStaff'> & {
  readonly kept: readonly Component[]
  /** What it had in the period that is running: a setup fee is charged once for each value. */
  readonly had: readonly Selected[]
  /** The options that are chosen anew, by their keys. */
  readonly wish: Wish
  /** The keys of options that are given up. */
  readonly drop: readonly string[]
  /** Values of which a unit is held for the change already. */
  readonly heldValueIds: readonly string[]
}

/** The options of a service on another product. */
export type Carried = {
  /** At current prices; a fee only for what the service did not have before. */
  readonly components: readonly Component[]
  /** Why the target does not offer something that the service has and that is not given up. */
  readonly dropped: readonly Detail[]
  /** Everything that is wrong with the wish. */
  readonly faults: readonly Detail[]
}

/**
 * The options of a service on other products (S2.11): what it has is found there by its key, and by the key of its
 * value. What the wish does not name and the product does not offer, or not in this cycle and currency, is listed as
 * dropped. An option that both products share stays even when it is archived.
 */
export async function carryOptions(
  db: Db,
  tenantId: string,
  targets: readonly CarryTarget[],
  carrying: Carrying,
): Promise<Carried[]> {
  const productIds = [...new Set(targets.map(({ product }) => product.id))]
  const offered = productIds.length > 0 ? await optionsOf(db, tenantId, productIds) : new Map()
  const own = [...carrying.kept, ...carrying.had].filter(({ kind }) => kind === 'option')
  const ids = [...new Set(own.map(({ sourceId }) => sourceId))]
  const known = ids.length > 0 ? await optionsNamed(db, tenantId, ids) : []
  const eggIds = [...new Set(targets.flatMap(({ product }) => product.provisioning?.eggId ?? []))]
  const rows =
    offered.size > 0 && eggIds.length > 0 ? await listEggsByIds(db, tenantId, eggIds) : []
  const eggs = new Map(rows.map((egg) => [egg.id, egg]))
  return targets.map((target) => {
    const egg = eggs.get(target.product.provisioning?.eggId ?? '')
    const options: ProductOptions = offered.get(target.product.id) ?? []
    return carriedTo({ ...target, options, egg, known }, carrying)
  })
}

type Offer = CarryTarget & {
  readonly options: ProductOptions
  readonly egg: EggRow | undefined
  readonly known: ProductOptions
}

function carriedTo(offer: Offer, carrying: Carrying): Carried {
  const { options, known, terms, product, egg } = offer
  const { kept, wish, drop, locationId } = carrying
  const own = kept.filter(({ kind }) => kind === 'option')
  const unnamed = own.filter(({ key }) => !Object.hasOwn(wish, key) && !drop.includes(key))
  const open = openFor(options, { ...carrying, own, unnamed })
  const situation = {
    ...{ ...terms, locationId, isTrial: false, isStaff: true, pieces: 1 },
    isBroken: brokenIn(product.provisioning, egg),
  }
  const before = wishOf(unnamed, known)
  const dropped = new Map<string, Detail>()
  for (;;) {
    const stays = Object.entries(before).filter(([key]) => !dropped.has(key))
    const wanted = { ...Object.fromEntries(stays), ...wish }
    const { chosen, faults } = selectionOf(open, wanted, situation)
    const lost = faults.filter(({ path }) => stays.some(([key]) => path === `options.${key}`))
    // Something else may need an option that is lost, so everything is looked at again.
    for (const it of lost) dropped.set(it.path.slice('options.'.length), it)
    if (lost.length > 0) continue
    const unknown = drop.filter((key) => !own.some((it) => it.key === key))
    return {
      components: chosen.flatMap((it) => componentOf(it, offer, carrying) ?? []),
      dropped: [...dropped].flatMap(([key, it]) => (isLoss(key, own, known) ? it : [])),
      faults: [...faults, ...unknown.map((key) => optionFault({ key }, 'option_unknown'))],
    }
  }
}

/** Whether an option means anything to its customer: a default that is free is nothing to lose. */
function isLoss(key: string, own: readonly Component[], known: ProductOptions): boolean {
  const had = own.find((it) => it.key === key)
  const values = known.find(({ id }) => id === had?.sourceId)?.values ?? []
  const isDefault = values.some(({ id, isDefault: of }) => of && id === had?.valueId)
  return !isDefault || had?.priceCents !== 0
}

type Opening = Pick<Carrying, 'isStaff' | 'heldValueIds'> & {
  readonly own: readonly Selected[]
  readonly unnamed: readonly Selected[]
}

/**
 * The options of a product as they are open to a service: also a hidden one that it has, and what is archived, sold out
 * or sold elsewhere, if the service has exactly that.
 */
function openFor(
  options: ProductOptions,
  { own, unnamed, isStaff, heldValueIds }: Opening,
): ProductOptions {
  return options.flatMap((option) => {
    const { id, key, hidden } = option
    if (hidden && !isStaff && !unnamed.some((it) => it.key === key)) return []
    const hasRival = options.some((it) => it.id !== id && it.key === key && !it.archivedAt)
    const isKept = !hasRival && unnamed.some(({ sourceId }) => sourceId === id)
    const values = option.values.map((value) => {
      if (own.some(({ valueId }) => valueId === value.id)) {
        return { ...value, archivedAt: null, stock: null, locationIds: [] }
      }
      return heldValueIds.includes(value.id) ? { ...value, stock: null } : value
    })
    return { ...option, values, archivedAt: isKept ? null : option.archivedAt }
  })
}

function componentOf(chosen: Chosen, offer: Offer, { kept, had }: Carrying): Component | null {
  if (hasNoEffect(chosen)) return null
  const { options, terms, known } = offer
  const priced = repriced(options, selectedOf(chosen), terms)
  const keyOf = ({ sourceId, valueId }: Selected) =>
    known.find(({ id }) => id === sourceId)?.values.find(({ id }) => id === valueId)?.key
  const isHad = [...kept, ...had].some(
    (it) => it.key === chosen.option.key && keyOf(it) === chosen.value?.key,
  )
  return priced && (isHad ? { ...priced, feeCents: cents(0) } : priced)
}
