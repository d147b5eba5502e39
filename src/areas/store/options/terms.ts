import type { Cents } from '#lib/money.ts'
import type { Cycle } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'

export type OptionKind = 'select' | 'toggle' | 'quantity' | 'text'
export type PriceMode = 'per_unit' | 'graduated' | 'volume'

/** What an option can add to: sizes in MiB, the processor in percent of a core, everything else as a count. */
export const RESOURCES = [
  ...(['memoryMb', 'diskMb', 'cpuPercent', 'swapMb'] as const),
  ...(['databases', 'backups', 'allocations', 'subdomains'] as const),
] as const
export type Resource = (typeof RESOURCES)[number]

/** What a choice does to the server (S1.8). Amounts are per unit of a quantity, else per value. */
export type Effect =
  | { readonly kind: 'resource'; readonly amounts: { readonly [R in Resource]?: number } }
  | { readonly kind: 'variable'; readonly env: string; readonly template: string }
  | { readonly kind: 'image' | 'startup'; readonly label: string }
  | { readonly kind: 'none' }

/** One of these values of another option has to be chosen, too. */
export type Requirement = { readonly key: string; readonly values: readonly string[] }

/** One of the choices of a `select`; a `toggle` has the values `on` and `off`. */
export type OptionValue = {
  readonly id: string
  readonly key: string
  readonly label: string
  readonly isDefault: boolean
  /** Null: no limit. */
  readonly stock: number | null
  readonly stockReturns: boolean
  /** The locations in which it is sold; empty: all of them. */
  readonly locationIds: readonly string[]
  readonly requires: readonly Requirement[]
  readonly effect: Effect | null
  readonly archivedAt: Instant | null
}

/**
 * Quantities above the previous tier, up to and including `upTo`; the last tier has no end. An option `per_unit` has
 * one.
 */
export type Tier = { readonly upTo: number | null }

/**
 * What a value, a tier (by its index) or, if both are null, the option itself costs in one cycle and currency:
 * `priceCents` a period and `feeCents` once. By the hour, `priceMicros` is the price of an hour and `priceCents` the
 * most a month costs.
 */
export type PriceRow = Cycle & {
  readonly value: string | null
  readonly tier: number | null
  readonly currency: string
  readonly priceCents: Cents
  readonly feeCents: Cents
  readonly priceMicros: number | null
}

/** An option with everything that its choice and its price depend on. */
export type OptionTerms = {
  readonly id: string
  readonly key: string
  readonly kind: OptionKind
  readonly name: string
  readonly required: boolean
  /** Chosen by staff only. */
  readonly hidden: boolean
  /** Whether it may be chosen in a trial. */
  readonly trial: boolean
  readonly unit: string | null
  readonly min: number | null
  readonly max: number | null
  readonly step: number | null
  readonly priceMode: PriceMode | null
  readonly maxLength: number | null
  readonly pattern: string | null
  readonly effect: Effect | null
  readonly values: readonly OptionValue[]
  readonly tiers: readonly Tier[]
  readonly prices: readonly PriceRow[]
  readonly archivedAt: Instant | null
}

/** The cycle and currency of a sale. */
export type Sold = Cycle & { readonly currency: string }

/** What was chosen for one option: a value, a quantity or a text; the others are null. */
export type Chosen<O extends OptionTerms = OptionTerms> = {
  readonly option: O
  readonly value: OptionValue | null
  readonly quantity: number | null
  readonly text: string | null
}

/** Whether nothing is taken: a toggle is off, a quantity is 0, a text is empty. It costs nothing. */
export function isNothing({ option, value, quantity, text }: Chosen): boolean {
  if (option.kind === 'toggle') return value?.key === 'off'
  if (option.kind === 'text') return text === ''
  return quantity === 0
}

/**
 * Whether a choice has no effect: nothing is taken, and its value has no effect of its own. It is not stored with a
 * service.
 */
export function hasNoEffect(chosen: Chosen): boolean {
  return isNothing(chosen) && !(chosen.option.kind === 'toggle' && chosen.value?.effect)
}
