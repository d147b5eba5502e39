import { type Static, Type } from 'typebox'
import {
  Body,
  Currency,
  Id,
  Line,
  Nullable,
  OneOf,
  Resource,
  Text,
  Timestamp,
  textsByLanguage,
} from '#lib/schema.ts'
import { ComponentPrice, NewComponentPrice } from '../components/schema.ts'
import { Position } from '../schema.ts'
import { type Effect as EffectTerms, RESOURCES, type Resource as ResourceName } from './terms.ts'

const KINDS = ['select', 'toggle', 'quantity', 'text'] as const
const DISPLAYS = ['slider', 'number'] as const
const PRICE_MODES = ['per_unit', 'graduated', 'volume'] as const

export const OptionKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  description: 'Its name in `options` of a cart item',
})
const ValueKey = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' })

const Kind = OneOf(KINDS)
const Display = OneOf(DISPLAYS)
const PriceMode = OneOf(PRICE_MODES)
const Description = Nullable(Text(1000))
const Unit = Nullable({ ...Line(20), description: 'Such as `GB`' })
const Bound = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const Step = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const MaxLength = Type.Integer({ minimum: 1, maximum: 500 })
const Pattern = Nullable(
  Type.String({
    ...{ minLength: 1, maxLength: 200 },
    description: 'A regular expression that the whole text has to match',
  }),
)

const amount = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 }))
const Amounts = Body(
  Object.fromEntries(RESOURCES.map((name) => [name, amount])) as Record<
    ResourceName,
    typeof amount
  >,
  'OptionAmounts',
)

/** What a choice does to the server. */
export const Effect = Type.Unsafe<EffectTerms>(
  Type.Union(
    [
      Body({ kind: OneOf(['resource']), amounts: Amounts }),
      Body({
        kind: OneOf(['variable']),
        env: Type.String({ pattern: '^(?!__proto__$)\\w{1,191}$' }),
        template: Type.String({
          maxLength: 500,
          description:
            'The value, in which `{quantity}`, `{value}` and `{text}` stand for the choice',
        }),
      }),
      Body({ kind: OneOf(['image', 'startup']), label: Line() }),
      Body({ kind: OneOf(['none']) }),
    ],
    {
      title: 'OptionEffect',
      description:
        '`resource` adds to the limits of the server, per value or unit; `variable` sets a variable of the egg; `image` and `startup` choose one of the egg by its label; `none` changes nothing',
    },
  ),
)

const Requirement = Body(
  {
    key: OptionKey,
    values: Type.Array(ValueKey, { minItems: 1, maxItems: 200, uniqueItems: true }),
  },
  'OptionRequirement',
)
const Requires = Type.Array(Requirement, {
  maxItems: 10,
  description: 'Other options of the group that have to have one of these values',
})
const Stock = Nullable(
  Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'What can be sold; null: no limit' }),
)
const LocationIds = Type.Array(Id, {
  maxItems: 100,
  uniqueItems: true,
  description: 'Where it is sold; none: in every location',
})

const NewValue = Body(
  {
    key: ValueKey,
    label: Line(100),
    default: Type.Optional(Type.Boolean()),
    stock: Type.Optional(Stock),
    stockReturns: Type.Optional(Type.Boolean()),
    locationIds: Type.Optional(LocationIds),
    requires: Type.Optional(Requires),
    effect: Type.Optional(Nullable(Effect)),
  },
  'NewOptionValue',
)
export type NewValue = Static<typeof NewValue>

const NewValues = Type.Array(NewValue, {
  maxItems: 200,
  description:
    'All values in their order; those left out are archived. A `toggle` has `on` and `off`, also where they are not named',
})
const NewTiers = Type.Array(Body({ upTo: Nullable(Bound) }, 'NewOptionTier'), {
  ...{ minItems: 1, maxItems: 50 },
  description:
    'For a quantity: each tier ends with the quantity `upTo`, the last with none. One tier for `per_unit`',
})

const priced = {
  value: Type.Optional(Nullable(ValueKey)),
  tier: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 49, description: 'The index of the tier' })),
  ),
}
const NewPrice = Body({ ...priced, ...NewComponentPrice.properties }, 'NewOptionPrice')
export type NewPrice = Static<typeof NewPrice>

const NewPrices = Type.Array(NewPrice, {
  maxItems: 5000,
  description:
    'What values, tiers or, for a text, the option itself cost. Without a price it is not offered in a cycle and currency; free is a price of 0',
})

const OptionTexts = textsByLanguage(
  'OptionTexts',
  Body(
    {
      name: Type.Optional(Line(100)),
      description: Type.Optional(Text(1000)),
      unit: Type.Optional(Line(20)),
      values: Type.Optional(
        Type.Record(ValueKey, Line(100), {
          ...{ maxProperties: 200, additionalProperties: false },
          description: 'The labels of values by their keys',
        }),
      ),
    },
    'OptionText',
  ),
)
const Translations = {
  ...OptionTexts,
  description:
    'Its texts by language; what is missing is as `name`, `description`, `unit` and `label`',
}

const optional = {
  translations: Type.Optional(Translations),
  description: Type.Optional(Description),
  position: Type.Optional(Position),
  required: Type.Optional(Type.Boolean()),
  hidden: Type.Optional(Type.Boolean()),
  trial: Type.Optional(Type.Boolean()),
  unit: Type.Optional(Unit),
  min: Type.Optional(Nullable(Bound)),
  max: Type.Optional(Nullable(Bound)),
  step: Type.Optional(Nullable(Step)),
  display: Type.Optional(Nullable(Display)),
  priceMode: Type.Optional(Nullable(PriceMode)),
  maxLength: Type.Optional(Nullable(MaxLength)),
  pattern: Type.Optional(Pattern),
  effect: Type.Optional(Nullable(Effect)),
  values: Type.Optional(NewValues),
  tiers: Type.Optional(NewTiers),
  prices: Type.Optional(NewPrices),
}

export const NewOption = Body({
  groupId: Id,
  key: OptionKey,
  kind: Kind,
  name: Line(100),
  ...optional,
})
export type NewOption = Static<typeof NewOption>

export const OptionChange = Body({ name: Type.Optional(Line(100)), ...optional })
export type OptionChange = Static<typeof OptionChange>

const OptionValue = Resource('OptionValue', {
  id: Id,
  key: Type.String(),
  label: Type.String(),
  default: Type.Boolean({ description: 'Taken where the buyer chooses nothing' }),
  stock: Nullable(Type.Integer()),
  stockReturns: Type.Boolean({
    description: 'Whether a unit comes back when a service gives the value up',
  }),
  locationIds: LocationIds,
  requires: Requires,
  effect: Nullable(Effect),
  archivedAt: Nullable(Timestamp),
})

const OptionPrice = Resource('OptionPrice', {
  value: Nullable(Type.String()),
  tier: Nullable(Type.Integer()),
  ...ComponentPrice.properties,
})

export const Option = Resource('Option', {
  id: Id,
  groupId: Id,
  key: Type.String(),
  kind: {
    ...Kind,
    description:
      'One of several values; on or off; a whole number; or a text that the buyer writes',
  },
  name: Type.String(),
  description: Nullable(Type.String()),
  position: Type.Integer(),
  required: Type.Boolean({ description: 'Whether an order without it is refused' }),
  hidden: Type.Boolean({ description: 'Chosen by staff only' }),
  trial: Type.Boolean({ description: 'Whether it may be chosen in a trial' }),
  unit: Nullable(Type.String()),
  translations: Translations,
  min: Nullable(Type.Integer()),
  max: Nullable(Type.Integer()),
  step: Nullable(Type.Integer()),
  display: Nullable(Display),
  priceMode: Nullable({
    ...PriceMode,
    description:
      'Each unit costs the same; each unit costs the price of its tier; or all cost the price of the tier that holds the quantity',
  }),
  maxLength: Nullable(Type.Integer()),
  pattern: Nullable(Type.String()),
  effect: Nullable(Effect),
  values: Type.Array(OptionValue),
  tiers: Type.Array(Resource('OptionTier', { upTo: Nullable(Type.Integer()) })),
  prices: Type.Array(OptionPrice),
  warnings: Type.Array(OneOf(['tier_cliff']), {
    description: '`tier_cliff`: a larger quantity costs less than a smaller one',
  }),
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
export type Option = Static<typeof Option>

const shownOfValue = Type.Pick(OptionValue, ['key', 'label', 'default', 'locationIds', 'requires'])
const shownOfOption = Type.Pick(Option, [
  ...(['key', 'kind', 'name', 'description', 'required', 'trial', 'unit'] as const),
  ...(['min', 'max', 'step', 'display', 'priceMode', 'maxLength', 'pattern', 'tiers'] as const),
])

/** What a value adds to the server, or each unit of a quantity. */
const Added = Resource(
  'AddedAmounts',
  Object.fromEntries(RESOURCES.map((name) => [name, Type.Integer({ minimum: 0 })])) as Record<
    ResourceName,
    ReturnType<typeof Type.Integer>
  >,
)

/** An option on the order form of a buyer. */
export const FormOption = Resource('OrderFormOption', {
  ...shownOfOption.properties,
  amounts: Added,
  values: Type.Array(
    Resource('OrderFormValue', {
      ...shownOfValue.properties,
      amounts: Added,
      available: Type.Boolean({ description: 'Whether it is in stock' }),
    }),
  ),
  prices: Type.Array(
    Resource('OrderFormPrice', {
      ...OptionPrice.properties,
      currency: Currency,
      totalCents: Type.Integer({ description: '`priceCents` with the tax of this visitor' }),
      feeTotalCents: Type.Integer({ description: '`feeCents` with the tax of this visitor' }),
    }),
    { description: 'For the cycles and currencies of the plans that are shown' },
  ),
})
export type FormOption = Static<typeof FormOption>
