import type { Detail } from '#lib/problem.ts'
import type { Provisioning } from '#panel'
import { appliedOf, type Built, buildOf } from './effects.ts'
import { type ChoicePrice, priceOfChoice } from './prices.ts'
import { type Situation, selectionOf, type Wish } from './selection.ts'
import type { Chosen, OptionTerms, Sold } from './terms.ts'

/** What was chosen for one option, as it is stored with a service. */
export type SelectedOption = {
  readonly key: string
  readonly kind: 'option'
  readonly sourceId: string
  readonly valueId: string | null
  readonly quantity: number | null
  readonly text: string | null
}

/**
 * A selection with its names and its price for one service. Options are numbered in their order, from 1.
 */
export type OptionComponent = SelectedOption &
  ChoicePrice & { readonly name: string; readonly label: string; readonly position: number }

export type ProductOptions = readonly OptionTerms[]

/** What a buyer chose from the options of a product, priced; and all faults of the wish at once (S1.4). */
export function chosenOptions(
  options: ProductOptions,
  wanted: Wish,
  at: Situation,
): { components: OptionComponent[]; faults: readonly Detail[] } {
  const { chosen, faults } = selectionOf(options, wanted, at)
  const components = chosen.flatMap((it) => componentOf(options, it, at) ?? [])
  return { components, faults }
}

/**
 * The current price of a stored selection, also of archived options and values; null if it is not offered.
 */
export function repriced(
  options: ProductOptions,
  kept: SelectedOption,
  sold: Sold,
): OptionComponent | null {
  const chosen = chosenAgain(options, kept)
  return chosen && componentOf(options, chosen, sold)
}

/** What a product's servers are made of with these selections. */
export function buildWith(
  provisioning: Provisioning,
  options: ProductOptions,
  selected: readonly SelectedOption[],
): Built {
  const chosen = selected.flatMap((it) => chosenAgain(options, it) ?? [])
  return buildOf(provisioning, chosen.map(appliedOf))
}

function chosenAgain(options: ProductOptions, kept: SelectedOption): Chosen | null {
  const option = options.find(({ id }) => id === kept.sourceId)
  if (!option) return null
  const value = option.values.find(({ id }) => id === kept.valueId) ?? null
  return { option, value, quantity: kept.quantity, text: kept.text }
}

function componentOf(options: ProductOptions, chosen: Chosen, sold: Sold): OptionComponent | null {
  const price = priceOfChoice(chosen, sold)
  if (!price) return null
  const { option, value, quantity, text } = chosen
  return {
    ...{ key: option.key, kind: 'option', sourceId: option.id, name: option.name },
    ...{ valueId: value?.id ?? null, quantity, text, label: labelOf(chosen) },
    position: options.indexOf(option) + 1,
    ...price,
  }
}

/** `4 GB`, `Daily`, or the text itself. */
function labelOf({ option, value, quantity, text }: Chosen): string {
  if (value) return value.label
  if (quantity === null) return text ?? ''
  return option.unit === null ? String(quantity) : `${quantity} ${option.unit}`
}
