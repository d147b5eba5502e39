import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Body, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import type { SettingsSection } from '#platform/area.ts'

/** A change: per section the fields with their new values, null for the default. */
export type SettingsChange = Record<string, Record<string, unknown>>

/** The body that changes settings: all existing sections and fields, and no others. */
export function changeSchema(sections: readonly SettingsSection[]) {
  const bodies = sections.map(({ name, schema }) => {
    const fields = Object.entries(schema.properties).map(
      ([field, it]) => [field, Type.Optional(Nullable(bare(it)))] as const,
    )
    return [name, Type.Optional(Body(Object.fromEntries(fields)))] as const
  })
  return Type.Unsafe<SettingsChange>(Body(Object.fromEntries(bodies)))
}

const Units = OneOf([
  'days',
  'hours',
  'minutes',
  'months',
  'years',
  'bytes',
  'basis_points',
  'cents',
])
export type SettingUnit = Static<typeof Units>

const NamedValues = Nullable(
  Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
)

/** The label, kind and limits of a setting. */
const SettingField = Resource('SettingField', {
  path: Type.String({ description: '`billing.paymentDays`: the section and the field' }),
  section: Type.String(),
  sectionLabel: Type.String(),
  name: Type.String(),
  label: Type.String({ description: 'In the language of `Accept-Language`' }),
  description: Nullable(Type.String({ description: 'In the language of `Accept-Language`' })),
  kind: OneOf(
    ['flag', 'number', 'choice', 'text', 'numbers', 'texts', 'map', 'secret'],
    '`numbers` and `texts` are lists; a `map` has one optional value for each of its `members`',
  ),
  unit: Nullable(Units),
  minimum: Nullable(Type.Number({ description: 'Of a number, and of each number of a list' })),
  maximum: Nullable(Type.Number()),
  maximumItems: Nullable(Type.Integer({ description: 'Of a list' })),
  pattern: Nullable(Type.String({ description: 'The regular expression of each text' })),
  options: NamedValues,
  members: NamedValues,
})
export type SettingField = Static<typeof SettingField>

/** The answer: the effective values, and the defaults. */
export function settingsSchema(sections: readonly SettingsSection[]) {
  const valuesOf = (shown: (it: TSchema) => TSchema) =>
    Resource(
      'SettingsValues',
      Object.fromEntries(sections.map(({ name, schema }) => [name, fieldsOf(schema, shown)])),
    )
  return Resource('Settings', {
    fields: Type.Array(SettingField, {
      description: 'Every setting with its label, description, kind and limits, in order',
    }),
    values: Type.Unsafe<Values>(valuesOf(withoutDefault)),
    defaults: Type.Unsafe<Values>(valuesOf(withoutDefault)),
    updatedAt: Type.Unsafe<Record<string, string | null>>(
      Type.Object(Object.fromEntries(sections.map(({ name }) => [name, Nullable(Timestamp)]))),
    ),
  })
}

export type Values = Record<string, Record<string, unknown>>
export type SettingsView = Static<ReturnType<typeof settingsSchema>>

function fieldsOf({ properties }: TObject, shown: (it: TSchema) => TSchema): TObject {
  return Type.Object(
    Object.fromEntries(Object.entries(properties).map(([field, it]) => [field, shown(it)])),
  )
}

/** A field of a change, without its description, which is in the document once, in `SettingsValues`. */
function bare(schema: TSchema): TSchema {
  const { description: _, ...rest } = withoutDefault(schema) as TSchema & { description?: string }
  return rest
}

/** With a default, the validator would fill in fields that are left out, which must stay as they are. */
function withoutDefault(schema: TSchema): TSchema {
  const { default: _, ...rest } = schema as TSchema & { default?: unknown }
  return rest
}
