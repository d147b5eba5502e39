import type { Cents } from '#lib/money.ts'
import { choicesOf } from './effect-faults.ts'
import { appliedOf } from './effects.ts'
import type { OptionRow } from './queries.ts'
import type { FormOption } from './schema.ts'
import { type Chosen, type Effect, type OptionValue, RESOURCES, type Sold } from './terms.ts'

/** What an order form depends on beside the options themselves. */
export type Form = {
  /** The cycles and currencies of the plans that are shown. */
  readonly sold: readonly Sold[]
  /** A price with the tax of the visitor. */
  readonly totalOf: (cents: Cents) => Cents
  /** Whether the egg of the product refuses a choice: it is not offered then. */
  readonly isBroken: (chosen: Chosen) => boolean
  /** The language of the visitor; null for the original texts. */
  readonly locale: string | null
}

/** The options on the order form, in their order: those with a price for a plan that is shown (S1.15). */
export function formOptionsOf(options: readonly OptionRow[], form: Form): FormOption[] {
  return options
    .filter(({ hidden, archivedAt }) => !hidden && archivedAt === null)
    .map((option) => formOption(option, form))
    .filter(({ kind, values, prices }) => {
      const isChoice = kind === 'select' || kind === 'toggle'
      return prices.length > 0 && (!isChoice || values.length > 0)
    })
}

function formOption(option: OptionRow, { sold, totalOf, isBroken, locale }: Form): FormOption {
  const offered = new Set(
    option.kind === 'quantity'
      ? []
      : choicesOf(option).flatMap((it) => (it.value && !isBroken(it) ? [it.value.key] : [])),
  )
  const prices = option.prices.filter(
    ({ value, ...price }) =>
      (value === null || offered.has(value)) && sold.some((it) => isFor(price, it)),
  )
  const own = (locale === null ? undefined : option.translations[locale]) ?? {}
  return {
    key: option.key,
    kind: option.kind,
    name: own.name ?? option.name,
    description: own.description ?? option.description,
    required: option.required,
    trial: option.trial,
    unit: own.unit ?? option.unit,
    min: option.min,
    max: option.max,
    step: option.step,
    display: option.display,
    priceMode: option.priceMode,
    maxLength: option.maxLength,
    pattern: option.pattern,
    amounts: amountsIn(option.effect),
    values: option.values
      .filter(({ key }) => offered.has(key))
      .map((value) => ({
        ...formValue(option, value),
        label: own.values?.[value.key] ?? value.label,
      })),
    tiers: [...option.tiers],
    prices: prices.map((price) => ({
      ...price,
      totalCents: totalOf(price.priceCents),
      feeTotalCents: totalOf(price.feeCents),
    })),
  }
}

function isFor(price: Sold, { interval, intervalCount, currency }: Sold): boolean {
  return (
    price.interval === interval &&
    price.intervalCount === intervalCount &&
    price.currency === currency
  )
}

function amountsIn(effect: Effect | null): FormOption['amounts'] {
  const amounts = effect?.kind === 'resource' ? effect.amounts : {}
  const entries = RESOURCES.map((name) => [name, amounts[name] ?? 0])
  return Object.fromEntries(entries) as FormOption['amounts']
}

function formValue(option: OptionRow, value: OptionValue) {
  const { key, label, isDefault, locationIds, requires, stock } = value
  const { effect } = appliedOf({ option, value, quantity: null, text: null })
  return {
    amounts: amountsIn(effect),
    ...{ key, label, default: isDefault, locationIds: [...locationIds] },
    requires: requires.map((it) => ({ key: it.key, values: [...it.values] })),
    available: stock === null || stock > 0,
  }
}
