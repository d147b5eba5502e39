import { isCurrency } from '#lib/currency.ts'
import { isExpression } from '#lib/expressions.ts'
import { MAX_UNIT_PRICE_CENTS } from '#lib/money.ts'
import { conflict, type Detail, type Problem, unprocessable } from '#lib/problem.ts'
import { assertPriceRows } from '../components/rules.ts'
import { priceOfChoice, rowsFor, soldIn } from './prices.ts'
import { wholeText } from './selection.ts'
import type { OptionTerms, PriceRow } from './terms.ts'

const MAX_MICROS = 1_000_000_000_000
const MAX_OPTIONS = 50

/** Throws 422 `option_invalid` for an option whose terms contradict each other: all faults at once. */
export function assertTerms(option: OptionTerms): void {
  const details = [
    ...faultsOfKind(option),
    ...faultsOfValues(option),
    ...faultsOfTiers(option),
    ...faultsOfPrices(option),
  ]
  if (details.length > 0) throw optionInvalid(details)
  const priced = Map.groupBy(option.prices, ({ value, tier }) => `${value} ${tier}`)
  for (const rows of priced.values()) assertPriceRows(rows)
  assertBounded(option)
}

/** 422: an option cannot be offered as it is. */
export function optionInvalid(details: readonly Detail[]): Problem {
  const [first] = details
  const codes = ['effect_on_unlimited', 'environment_invalid'] as const
  const code = codes.find((it) => it === first?.code) ?? 'option_invalid'
  return unprocessable(`${first?.path}: ${first?.message}.`, code, [...details])
}

function faultsOfKind(option: OptionTerms): Detail[] {
  const { kind, required, pattern, min, max, step } = option
  const faults: Detail[] = []
  if (required && (kind === 'toggle' || kind === 'quantity')) {
    faults.push({ path: 'required', message: 'is for selects and texts: others have a default' })
  }
  if (pattern !== null && (kind !== 'text' || !isExpression(wholeText(pattern)))) {
    const message = kind === 'text' ? 'is no regular expression' : 'is for texts only'
    faults.push({ path: 'pattern', message })
  }
  if (min !== null && max !== null && step !== null) {
    if (max < min) faults.push({ path: 'max', message: 'must not be less than min' })
    else if ((max - min) % step !== 0) {
      faults.push({ path: 'max', message: 'must be a number of steps from min' })
    }
  }
  return faults
}

function faultsOfValues({ kind, values }: OptionTerms): Detail[] {
  const open = values.filter(({ archivedAt }) => archivedAt === null)
  if (kind === 'quantity' || kind === 'text') {
    return values.length > 0 ? [{ path: 'values', message: 'is for selects and toggles only' }] : []
  }
  if (open.length === 0) return [{ path: 'values', message: 'must have a value' }]
  if (kind === 'toggle' && values.some(({ key }) => key !== 'on' && key !== 'off')) {
    return [{ path: 'values', message: 'must be on and off' }]
  }
  const defaults = open.filter(({ isDefault }) => isDefault).length
  if (defaults > (kind === 'select' ? 1 : 0)) {
    const message =
      kind === 'select' ? 'must have one default at most' : 'of a toggle has no default'
    return [{ path: 'values', message }]
  }
  return []
}

function faultsOfTiers({ kind, priceMode, tiers }: OptionTerms): Detail[] {
  if (kind !== 'quantity') {
    return tiers.length > 0 ? [{ path: 'tiers', message: 'is for quantities only' }] : []
  }
  if (priceMode === 'per_unit' && tiers.length > 1) {
    return [{ path: 'tiers', message: 'must be one for per_unit' }]
  }
  return tiers.flatMap(({ upTo }, index) => {
    const path = `tiers.${index}.upTo`
    if (index === tiers.length - 1) {
      return upTo === null ? [] : [{ path, message: 'must be null for the last tier' }]
    }
    const from = tiers[index - 1]?.upTo ?? 0
    return upTo !== null && upTo > from ? [] : [{ path, message: `must be more than ${from}` }]
  })
}

function faultsOfPrices(option: OptionTerms): Detail[] {
  const faults = option.prices.flatMap((row, index) => {
    const path = `prices.${index}`
    if (!isPriced(option, row)) {
      return [{ path, message: `must be of ${PRICED[option.kind]}` }]
    }
    return isCurrency(row.currency)
      ? []
      : [{ path: `${path}.currency`, message: 'is not a currency' }]
  })
  if (option.kind !== 'quantity') return faults
  const gaps = soldIn(option).filter((sold) => {
    const tiers = new Set(rowsFor(option, sold).map(({ tier }) => tier))
    return tiers.size < option.tiers.length
  })
  return [
    ...faults,
    ...gaps.map(({ interval, intervalCount, currency }) => ({
      path: 'prices',
      message: `must be there for every tier of ${intervalCount} ${interval} in ${currency}`,
    })),
  ]
}

const PRICED: Readonly<Record<OptionTerms['kind'], string>> = {
  select: 'one of its values',
  toggle: 'the value on',
  quantity: 'one of its tiers',
  text: 'the option itself, without value and tier',
}

function isPriced({ kind, values, tiers }: OptionTerms, { value, tier }: PriceRow): boolean {
  if (kind === 'quantity') return value === null && tier !== null && tier < tiers.length
  if (kind === 'text') return value === null && tier === null
  const isValue = values.some(({ key }) => key === value)
  return tier === null && isValue && !(kind === 'toggle' && value === 'off')
}

/** The largest quantity must not cost more than a line may (R1.1); by volume, neither must the end of each tier. */
function assertBounded(option: OptionTerms): void {
  const { kind, max, tiers } = option
  if (kind !== 'quantity' || max === null) return
  const ends = tiers.flatMap(({ upTo }) => (upTo !== null && upTo < max ? [upTo] : []))
  for (const sold of soldIn(option)) {
    for (const quantity of [...ends, max]) {
      const price = priceOfChoice({ option, value: null, quantity, text: null }, sold)
      const isFine =
        !price ||
        (price.priceCents <= MAX_UNIT_PRICE_CENTS && (price.priceMicros ?? 0) <= MAX_MICROS)
      if (!isFine) {
        throw optionInvalid([
          { path: 'prices', message: `must not exceed ${MAX_UNIT_PRICE_CENTS} cents together` },
        ])
      }
    }
  }
}

/**
 * Checks the requirements among the options of a group: each has to name an existing value, and none may be circular.
 */
export function assertRequirements(options: readonly OptionTerms[]): void {
  const open = new Map(options.map((option) => [option.key, option]))
  const details = options.flatMap((option) =>
    option.values
      .filter(({ archivedAt }) => archivedAt === null)
      .flatMap(({ key, requires }) =>
        requires
          .filter((it) => !isKnown(open.get(it.key), it.values) || it.key === option.key)
          .map((it) => ({
            path: `options.${option.key}.${key}`,
            message: `requires ${it.key}: ${it.values.join(', ')}, which the group does not offer`,
            code: 'requirement_unknown',
          })),
      ),
  )
  if (details.length > 0) throw optionInvalid(details)
  const circle = options.find((option) => leadsTo(option, option.key, open, new Set()))
  if (circle) {
    const path = `options.${circle.key}`
    const message = 'requires an option that requires it'
    throw optionInvalid([{ path, message, code: 'requirement_circle' }])
  }
}

function isKnown(option: OptionTerms | undefined, keys: readonly string[]): boolean {
  const open = option?.values.filter(({ archivedAt }) => archivedAt === null) ?? []
  return keys.every((key) => open.some((it) => it.key === key))
}

function leadsTo(
  option: OptionTerms,
  key: string,
  all: ReadonlyMap<string, OptionTerms>,
  seen: Set<string>,
): boolean {
  const needed = option.values.flatMap(({ requires }) => requires.map((it) => it.key))
  return needed.some((it) => {
    if (it === key) return true
    if (seen.has(it)) return false
    seen.add(it)
    const next = all.get(it)
    return next !== undefined && leadsTo(next, key, all, seen)
  })
}

/**
 * Throws for options of one product that cannot be combined: 409 `option_twice` for a key that two of them have, 422
 * for more than 50 and for two that set one variable, because their order would decide.
 */
export function assertTogether(product: string, options: readonly OptionTerms[]): void {
  const keys = options.map(({ key }) => key)
  const double = keys.find((key, index) => keys.indexOf(key) !== index)
  if (double !== undefined) {
    const message = `${product} would have the option ${double} twice.`
    throw conflict(message, 'option_twice')
  }
  if (options.length > MAX_OPTIONS) {
    const message = `gives ${product} more than ${MAX_OPTIONS} options`
    throw optionInvalid([{ path: 'productIds', message, code: 'too_many_options' }])
  }
  const variables = options.flatMap((option) =>
    [...new Set(variablesSetBy(option))].map((env) => ({ env, key: option.key })),
  )
  const again = variables.find(
    ({ env }, index) => variables.findIndex((it) => it.env === env) !== index,
  )
  if (again) {
    const message = `sets ${again.env}, which another option of ${product} sets`
    throw optionInvalid([{ path: `options.${again.key}`, message, code: 'variable_twice' }])
  }
}

function variablesSetBy({ effect, values }: OptionTerms): string[] {
  const open = values.filter(({ archivedAt }) => archivedAt === null)
  return [effect, ...open.map((it) => it.effect)].flatMap((it) =>
    it?.kind === 'variable' ? [it.env] : [],
  )
}
