import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '#platform/database/index.ts'
import { findSettings } from './queries.ts'

/** Typed settings of a tenant: a name, and a schema in which every property has a default. */
export type Settings<S extends TObject> = { readonly name: string; readonly schema: S }

/** Declares a section of settings. */
export function settings<S extends TObject>(name: string, schema: S): Settings<S> {
  return { name, schema }
}

/** A tenant's settings of a section, defaults filled in. */
export async function settingsOf<S extends TObject>(
  db: Db,
  tenantId: string,
  { name, schema }: Settings<S>,
): Promise<Static<S>> {
  const row = await findSettings(db, tenantId, name)
  return Value.Default(schema, { ...row?.values }) as Static<S>
}
