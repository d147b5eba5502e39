import { matchesExpression } from '#lib/expressions.ts'
import { type Detail, detail } from '#lib/problem.ts'
import { priceOfChoice } from './prices.ts'
import { type Chosen, isNothing, type OptionTerms, type OptionValue, type Sold } from './terms.ts'

/** What a buyer wants from the options of a product, by their keys. */
export type Wish = Readonly<Record<string, string | number | boolean>>

export type OptionFault =
  | 'option_unknown'
  | 'option_required'
  | 'value_unknown'
  | 'value_archived'
  | 'below_minimum'
  | 'above_maximum'
  | 'off_step'
  | 'text_invalid'
  | 'option_not_offered'
  | 'requirement_missing'
  | 'not_at_location'
  | 'option_not_in_trial'
  | 'out_of_stock'

/** What a choice has to fit. */
export type Situation = Sold & {
  readonly locationId: string | null
  readonly isTrial: boolean
  /** Staff, offers and imports may choose hidden options. */
  readonly isStaff: boolean
  /** For how many services. */
  readonly pieces: number
  /** Values that the egg of the product refuses, as `brokenChoices` finds them. */
  readonly isBroken?: (chosen: Chosen) => boolean
}

export type Selection<O extends OptionTerms> = {
  readonly chosen: readonly Chosen<O>[]
  /** Everything that is wrong with the wish, in the order of the options; unknown keys come last. */
  readonly faults: readonly Detail[]
}

/**
 * What was chosen of the options on sale of a product, in their order, and all faults of the wish at once (S1.4). An
 * option that the wish does not name takes its default, if the default is available; otherwise it is left out.
 */
export function selectionOf<O extends OptionTerms>(
  options: readonly O[],
  wish: Wish,
  situation: Situation,
): Selection<O> {
  const open = options.filter((it) => !it.archivedAt && (situation.isStaff || !it.hidden))
  const read = open.map((option) => readWish(option, wish))
  const usable = read.filter(
    (it) => it.chosen && (it.isWished || faultsOf(it.chosen, situation).length === 0),
  )
  const picks = usable.flatMap(({ chosen, isWished }) => (chosen ? [{ chosen, isWished }] : []))
  const all = picks.map(({ chosen }) => chosen)
  const kept = picks.filter((it) => it.isWished || unmet(it.chosen, all, options).length === 0)
  const chosen = kept.map((it) => it.chosen)
  const faults = read.flatMap((it) => {
    if (!it.chosen || !it.isWished) return it.faults
    return [...it.faults, ...faultsOf(it.chosen, situation), ...unmet(it.chosen, chosen, options)]
  })
  const known = new Set(open.map(({ key }) => key))
  const unknown = Object.keys(wish).filter((key) => !known.has(key))
  return {
    chosen,
    faults: [...faults, ...unknown.map((key) => fault({ key }, 'option_unknown', 'no_option'))],
  }
}

/**
 * What a wish contains for one option; `isWished` is false if it does not name the option and the default is taken.
 */
type Reading<O extends OptionTerms> = {
  readonly chosen: Chosen<O> | null
  readonly isWished: boolean
  readonly faults: readonly Detail[]
}

function readWish<O extends OptionTerms>(option: O, wish: Wish): Reading<O> {
  const wanted = Object.hasOwn(wish, option.key) ? wish[option.key] : undefined
  if (wanted === undefined) return byDefault(option)
  if (option.kind === 'quantity') return readQuantity(option, wanted)
  if (option.kind === 'text') return readText(option, wanted)
  const key = typeof wanted === 'boolean' ? (wanted ? 'on' : 'off') : wanted
  const isOfKind = typeof wanted !== 'boolean' || option.kind === 'toggle'
  const value = isOfKind && option.values.find((it) => it.key === key)
  if (!value) return refused(fault(option, 'value_unknown', 'not_offered'))
  if (value.archivedAt) return refused(fault(option, 'value_archived', 'value_archived'))
  return taken(option, { value })
}

function byDefault<O extends OptionTerms>(option: O): Reading<O> {
  const { kind, required, values, min } = option
  if (required) return refused(fault(option, 'option_required', 'missing'))
  if (kind === 'text') return { chosen: null, isWished: false, faults: [] }
  if (kind === 'quantity') return { ...taken(option, { quantity: min ?? 0 }), isWished: false }
  const value = values.find((it) => (kind === 'toggle' ? it.key === 'off' : it.isDefault))
  const isThere = value && !value.archivedAt
  return isThere
    ? { ...taken(option, { value }), isWished: false }
    : { chosen: null, isWished: false, faults: [] }
}

function readQuantity<O extends OptionTerms>(option: O, wanted: Wish[string]): Reading<O> {
  if (typeof wanted !== 'number') return refused(fault(option, 'value_unknown', 'whole_number'))
  const { min, max, step } = option
  const [least, most, by] = [min ?? 0, max ?? 0, step ?? 1]
  if (wanted < least) return refused(fault(option, 'below_minimum', 'number_at_least', [least]))
  if (wanted > most) return refused(fault(option, 'above_maximum', 'number_at_most', [most]))
  if ((wanted - least) % by !== 0) {
    return refused(fault(option, 'off_step', 'off_step', [least, by]))
  }
  return taken(option, { quantity: wanted })
}

function readText<O extends OptionTerms>(option: O, wanted: Wish[string]): Reading<O> {
  const { maxLength, pattern, required } = option
  if (typeof wanted !== 'string') return refused(fault(option, 'text_invalid', 'wrong_format'))
  if (wanted.trim() === '') {
    return required
      ? refused(fault(option, 'option_required', 'missing'))
      : taken(option, { text: '' })
  }
  if (maxLength !== null && [...wanted].length > maxLength) {
    return refused(fault(option, 'text_invalid', 'length_at_most', [maxLength]))
  }
  if (pattern !== null && !matchesExpression(wholeText(pattern), wanted)) {
    return refused(fault(option, 'text_invalid', 'wrong_format'))
  }
  return taken(option, { text: wanted })
}

/** The expression of a pattern, which a text has to match as a whole. */
export function wholeText(pattern: string) {
  return { source: `^(?:${pattern})$`, flags: 'u' }
}

function taken<O extends OptionTerms>(option: O, given: Partial<Chosen>): Reading<O> {
  const nothing = { value: null, quantity: null, text: null }
  return { chosen: { ...nothing, ...given, option }, isWished: true, faults: [] }
}

function refused(found: Detail): Reading<never> {
  return { chosen: null, isWished: true, faults: [found] }
}

/** Why a choice is not possible, apart from its requirements. */
function faultsOf(chosen: Chosen, situation: Situation): Detail[] {
  const { option, value } = chosen
  if (isNothing(chosen)) return []
  const { locationIds = [], stock = null } = value ?? {}
  const { locationId, isTrial, pieces, isBroken } = situation
  const isOffered = priceOfChoice(chosen, situation) !== null && !isBroken?.(chosen)
  const isThere = locationIds.length === 0 || locationIds.some((id) => id === locationId)
  const wrong: [OptionFault & Parameters<typeof detail>[1]['kind'], boolean][] = [
    ['option_not_offered', !isOffered],
    ['not_at_location', !isThere],
    ['option_not_in_trial', isTrial && !option.trial],
    ['out_of_stock', stock !== null && stock < pieces],
  ]
  return wrong.flatMap(([code, applies]) => (applies ? [fault(option, code, code)] : []))
}

/** The requirements of a choice that the other choices do not meet: each names an option and its values. */
function unmet(
  { option, value }: Chosen,
  chosen: readonly Chosen[],
  options: readonly OptionTerms[],
): Detail[] {
  return (value?.requires ?? []).flatMap(({ key, values }) => {
    const other = chosen.find((it) => it.option.key === key)
    if (other?.value && values.includes(other.value.key)) return []
    const needed = options.find((it) => it.key === key)
    const labels = values.map((it) => labelOf(needed?.values, it))
    return [
      fault(option, 'requirement_missing', 'requirement_missing', [needed?.name ?? key, ...labels]),
    ]
  })
}

function labelOf(values: readonly OptionValue[] | undefined, key: string): string {
  return values?.find((it) => it.key === key)?.label ?? key
}

type Named = { readonly key: string; readonly name?: string }
type Kind = Parameters<typeof detail>[1]['kind']

/** A fault of an option without further details. */
export function optionFault(
  named: Named,
  code: 'option_unknown' | 'value_archived' | 'option_not_offered',
): Detail {
  return fault(named, code, code === 'option_unknown' ? 'no_option' : code)
}

function fault(
  { key, name }: Named,
  code: OptionFault,
  kind: Kind,
  values: readonly (string | number)[] = [],
): Detail {
  const found = detail(`options.${key}`, { kind, values, ...(name !== undefined && { name }) })
  return { ...found, code }
}
