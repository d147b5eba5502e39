import type { LineTexts } from '#billing'
import { type Cents, cents } from '#lib/money.ts'
import {
  type Component,
  type ComponentPrice,
  isAlike,
  type Selected,
  sumOfComponents,
} from '#store'
import type { ServiceRow } from '../queries.ts'

/** A component of a service: its price, what it is worth in a period, and the fee that is still to be charged. */
export type KeptComponent = ServiceRow['components'][number]

type Total = { readonly priceCents: Cents; readonly priceMicros: number | null }

/** The share of the plan in the price of a service: the price less that of its components. */
export function planPriceOf(
  { priceCents, priceMicros }: Total,
  components: readonly ComponentPrice[],
): Total {
  const beside = sumOfComponents(components)
  return {
    priceCents: cents(priceCents - beside.priceCents),
    priceMicros: priceMicros === null ? null : priceMicros - (beside.priceMicros ?? 0),
  }
}

/** A priced line, and the component that it charges a period of; null for the plan, or for a one-time charge. */
type PricedLine = {
  readonly setupFee: boolean
  readonly component: string | null
  readonly subtotalCents: Cents
  readonly discountCents: Cents
}

/** What each component is worth in a period after discounts, in cents, by its key. */
export function valuesOfLines(lines: readonly PricedLine[]): Record<string, Cents> {
  const periods = lines.filter(({ setupFee }) => !setupFee)
  return Object.fromEntries(
    periods.flatMap(({ component, subtotalCents, discountCents }) =>
      component === null ? [] : [[component, cents(subtotalCents - discountCents)]],
    ),
  )
}

/** Components with these worths in a period; a component without one is worth 0. */
export function withValues<C extends Component>(
  components: readonly C[],
  values: Readonly<Record<string, Cents>>,
): (C & { readonly valueCents: Cents })[] {
  return components.map((it) => ({ ...it, valueCents: values[it.key] ?? cents(0) }))
}

/** Components without fees: theirs are charged already, or none is due. */
export function withoutFees<C extends Component>(components: readonly C[]): C[] {
  return components.map((it) => ({ ...it, feeCents: cents(0) }))
}

/** Components with some of them replaced or given up, in the order of their lines. */
export function withChanged<C extends Component>(
  components: readonly C[],
  changed: readonly { readonly key: string; readonly component: C | null }[],
): C[] {
  const stays = components.filter(({ key }) => !changed.some((it) => it.key === key))
  const comes = changed.flatMap(({ component }) => component ?? [])
  return [...stays, ...comes].sort((a, b) => a.position - b.position)
}

/** What differs between the choices of two sets of components, whatever they cost. */
export function changesBetween<C extends Component>(
  before: readonly Component[],
  after: readonly C[],
): { readonly key: string; readonly component: C | null }[] {
  const keys = new Set([...before, ...after].map(({ key }) => key))
  return [...keys].flatMap((key) => {
    const component = after.find((it) => it.key === key) ?? null
    const isSame = isAlike(before.find((it) => it.key === key) ?? null, component)
    return isSame ? [] : [{ key, component }]
  })
}

/** The components of a service that options chose. */
export function optionsAmong<C extends Component>(components: readonly C[]): C[] {
  return components.filter(({ kind }) => kind === 'option')
}

/** The components of a service from its next period on. */
export function scheduledOf({
  components,
  scheduledOptions,
}: Pick<ServiceRow, 'components' | 'scheduledOptions'>): readonly Component[] {
  return withChanged<Component>(components, scheduledOptions?.options ?? [])
}

/** The price of something with other components; the share of its plan stays. */
export function priceWith(
  {
    priceCents,
    components,
  }: Pick<ServiceRow, 'priceCents'> & { readonly components: readonly Component[] },
  after: readonly Component[],
): Cents {
  const [before, then] = [components, after].map((it) => sumOfComponents(it).priceCents)
  return cents(priceCents - (before ?? 0) + (then ?? 0))
}

/** The units of stock that these choices take. */
export function valuesTaken(
  components: readonly (Component | null)[],
): { valueId: string; key: string; quantity: number }[] {
  return components.flatMap((it) =>
    it?.valueId ? [{ valueId: it.valueId, key: it.key, quantity: 1 }] : [],
  )
}

/** Components of a period in which nothing was charged. */
export function withoutValues(components: readonly KeptComponent[]): KeptComponent[] {
  return withValues(components, {})
}

/**
 * What a service keeps when its plan changes: its location, even if that was free when it was ordered, and what was
 * chosen for it.
 */
export function selectedOf({
  locationId,
  components,
}: Pick<ServiceRow, 'locationId'> & { readonly components: readonly Component[] }): Selected[] {
  const kept = components.map(({ key, kind, sourceId, valueId, quantity, text }) => {
    return { key, kind, sourceId, valueId, quantity, text }
  })
  if (locationId === null || kept.some(({ kind }) => kind === 'location')) return kept
  const none = { valueId: null, quantity: null, text: null }
  return [{ key: 'location', kind: 'location', sourceId: locationId, ...none }, ...kept]
}

/** The text of a plan's line, with the components of its service that have no price of their own. */
export function besideText(
  what: string,
  components: readonly Pick<Component, 'name' | 'label'>[],
  texts: LineTexts,
): string {
  if (components.length === 0) return what
  return `${what} (${components.map(({ name, label }) => texts.component(name, label)).join(', ')})`
}
