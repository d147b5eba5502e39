import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Body, Nullable, Resource, Timestamp } from '#lib/schema.ts'
import type { SettingsSection } from '#platform/area.ts'

/** A change: per section the fields that are to be others, null for the default. */
export type SettingsChange = Record<string, Record<string, unknown>>

/** The body that changes settings: every section and field there is, and no others. */
export function changeSchema(sections: readonly SettingsSection[]) {
  const bodies = sections.map(({ name, schema }) => {
    const fields = Object.entries(schema.properties).map(
      ([field, it]) => [field, Type.Optional(Nullable(bare(it)))] as const,
    )
    return [name, Type.Optional(Body(Object.fromEntries(fields)))] as const
  })
  return Type.Unsafe<SettingsChange>(Body(Object.fromEntries(bodies)))
}

/** The answer: what holds, and what would hold if nothing had been set. */
export function settingsSchema(sections: readonly SettingsSection[]) {
  const valuesOf = (shown: (it: TSchema) => TSchema) =>
    Resource(
      'SettingsValues',
      Object.fromEntries(sections.map(({ name, schema }) => [name, fieldsOf(schema, shown)])),
    )
  return Resource('Settings', {
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

/** A field as a change has it: what it means stands once in the document, in `SettingsValues`. */
function bare(schema: TSchema): TSchema {
  const { description: _, ...rest } = withoutDefault(schema) as TSchema & { description?: string }
  return rest
}

/** A default would be written over what is left out: here that means it stays as it is. */
function withoutDefault(schema: TSchema): TSchema {
  const { default: _, ...rest } = schema as TSchema & { default?: unknown }
  return rest
}
