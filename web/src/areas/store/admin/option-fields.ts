import type { components } from '@moorage/client'
import { orNull } from '../../../api/forms.ts'
import type { OptionEffect, ShopOption } from './reads.ts'
import type { TextsByLanguage } from './translations.tsx'

export type OptionPrice = ShopOption['prices'][number]
type NewValue = components['schemas']['NewOptionValue']

type Requirement = ShopOption['values'][number]['requires'][number]

/** A value as it is edited. */
export type Value = {
  readonly key: string
  readonly label: string
  readonly stock: number | null
  readonly stockReturns: boolean
  readonly locationIds: readonly string[]
  readonly requires: readonly Requirement[]
  readonly effect: OptionEffect | null
}

/** The fields of an option; `isNew` has those that never change later. */
export type OptionFields = {
  name: string
  key: string
  kind: ShopOption['kind']
  description: string
  unit: string
  min: number | null
  max: number | null
  step: number | null
  display: NonNullable<ShopOption['display']>
  priceMode: NonNullable<ShopOption['priceMode']>
  maxLength: number | null
  pattern: string
  required: boolean
  hidden: boolean
  trial: boolean
  effect: OptionEffect | null
  /** By language: `name`, `description`, `unit`, and the label of a value as `value.` and its key. */
  translations: TextsByLanguage
  /** The key of the default value; empty: none. */
  byDefault: string
  values: readonly Value[]
  tiers: readonly (number | null)[]
  prices: readonly OptionPrice[]
}

/** A new value, with nothing entered yet. */
export const NEW_VALUE: Value = {
  ...{ key: '', label: '', stock: null, stockReturns: true },
  ...{ locationIds: [], requires: [], effect: null },
}

const OF_VALUE = 'value.'

/** The key of a value's label among the texts of a language. */
export function labelKey(value: string): string {
  return OF_VALUE + value
}

function textsOf(translations: ShopOption['translations']): TextsByLanguage {
  return Object.fromEntries(
    Object.entries(translations).map(([locale, { values = {}, ...texts }]) => {
      const labels = Object.entries(values).map(([key, label]) => [labelKey(key), label])
      return [locale, { ...texts, ...Object.fromEntries(labels) }]
    }),
  )
}

function translationsOf(texts: TextsByLanguage): ShopOption['translations'] {
  return Object.fromEntries(
    Object.entries(texts).map(([locale, own]) => {
      const filled = Object.entries(own).map(([key, text = '']) => [key, text.trim()] as const)
      const labels = filled.filter(([key]) => key.startsWith(OF_VALUE))
      const values = Object.fromEntries(
        labels.map(([key, label]) => [key.slice(OF_VALUE.length), label]),
      )
      const rest = Object.fromEntries(filled.filter(([key]) => !key.startsWith(OF_VALUE)))
      return [locale, { ...rest, ...(labels.length > 0 && { values }) }]
    }),
  )
}

/** The fields of an option, or those of a new one. */
export function fieldsOf(option: ShopOption | null): OptionFields {
  const values = (option?.values ?? []).filter(({ archivedAt }) => archivedAt === null)
  return {
    ...{ name: option?.name ?? '', key: option?.key ?? '', kind: option?.kind ?? 'quantity' },
    ...{ description: option?.description ?? '', unit: option?.unit ?? '' },
    ...{ min: option?.min ?? 0, max: option?.max ?? 32, step: option?.step ?? 1 },
    ...{ display: option?.display ?? 'slider', priceMode: option?.priceMode ?? 'per_unit' },
    ...{ maxLength: option?.maxLength ?? 200, pattern: option?.pattern ?? '' },
    ...{ required: option?.required ?? false, hidden: option?.hidden ?? false },
    ...{ trial: option?.trial ?? true, effect: option?.effect ?? null },
    byDefault: values.find((it) => it.default)?.key ?? '',
    translations: textsOf(option?.translations ?? {}),
    values: values.map(({ id: _, default: __, archivedAt: ___, ...value }) => value),
    tiers: option && option.tiers.length > 0 ? option.tiers.map(({ upTo }) => upTo) : [null],
    prices: option?.prices ?? [],
  }
}

/** The request body: only the fields that the kind of the option has. */
export function bodyOf(fields: OptionFields, saved: ShopOption | null) {
  const { kind, name, description, unit, hidden, trial, effect } = fields
  const isQuantity = kind === 'quantity'
  const isChoice = kind === 'select' || kind === 'toggle'
  const { min, max, step, display, priceMode } = fields
  return {
    ...{ name: name.trim(), description: orNull(description), hidden, trial, effect },
    required: !isQuantity && kind !== 'toggle' && fields.required,
    translations: translationsOf(fields.translations),
    ...(isQuantity && {
      ...{ unit: orNull(unit), min, max, step, display, priceMode },
      tiers: fields.tiers.map((upTo) => ({ upTo })),
    }),
    ...(kind === 'text' && {
      ...{ maxLength: fields.maxLength, pattern: orNull(fields.pattern) },
    }),
    ...(isChoice && { values: fields.values.map((it) => valueBody(it, fields, saved)) }),
    prices: fields.prices.filter((it) => isOf(fields, it) || isKept(it, saved)),
  }
}

/** A value; its stock only if it was changed, because orders reduce it meanwhile. */
function valueBody(
  { key, label, stock, stockReturns, effect, ...where }: Value,
  { byDefault, kind }: OptionFields,
  saved: ShopOption | null,
): NewValue {
  const before = saved?.values.find((it) => it.key === key)
  const isDefault = kind === 'select' && key === byDefault
  return {
    ...{ key, label: label.trim(), default: isDefault, effect, stockReturns },
    locationIds: [...where.locationIds],
    requires: where.requires.map((it) => ({ key: it.key, values: [...it.values] })),
    ...(stock !== (before?.stock ?? null) && { stock }),
  }
}

/** Whether a price belongs to a value or tier of the form. */
function isOf({ kind, values, tiers }: OptionFields, { value, tier }: OptionPrice): boolean {
  if (kind === 'quantity') return tier !== null && tier < tiers.length
  if (kind === 'text') return value === null && tier === null
  return values.some(({ key }) => key === value)
}

/** Whether a price belongs to an archived value, which services may still have. */
function isKept({ value }: OptionPrice, saved: ShopOption | null): boolean {
  return saved?.values.some((it) => it.key === value && it.archivedAt !== null) ?? false
}

/** What has a price: each tier, each value, or the text itself. */
export function pricedOf({ kind, values, tiers }: OptionFields) {
  if (kind === 'quantity') return tiers.map((_, tier) => ({ value: null, tier }))
  if (kind === 'text') return [{ value: null, tier: null }]
  const sold = kind === 'toggle' ? values.filter(({ key }) => key === 'on') : values
  return sold.map(({ key }) => ({ value: key, tier: null }))
}
