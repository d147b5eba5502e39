import type { Static, TObject } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { findSettings } from './queries.ts'

/** Typed settings of a tenant: a name, and a schema in which every property has a default. */
export type Settings<S extends TObject> = { readonly name: string; readonly schema: S }

/** Declares a section of settings. */
export function settings<S extends TObject>(name: string, schema: S): Settings<S> {
  return { name, schema }
}

/** A setting that is written and never shown: stored sealed, null if there is none. */
export function SecretSetting(description: string, maxLength = 500) {
  return Type.Unsafe<string | null>({
    ...{ type: ['string', 'null'], default: null, writeOnly: true },
    ...{ minLength: 1, maxLength, description },
  })
}

/** A tenant's settings of a section, with defaults filled in; secret ones are still sealed. */
export async function settingsOf<S extends TObject>(
  db: Db,
  tenantId: string,
  { name, schema }: Settings<S>,
): Promise<Static<S>> {
  const row = await findSettings(db, tenantId, name)
  return Value.Default(schema, { ...row?.values }) as Static<S>
}

type SecretKey = { readonly tenantId: string; readonly section: string; readonly field: string }

/** The plain text of a sealed secret setting from `settingsOf`; null if there is none. */
export function openSetting(secrets: Secrets, key: SecretKey, sealed: string | null) {
  return sealed === null ? null : secrets.open(sealed, boundTo(key))
}

/** A secret setting as it is stored: it opens only in its own tenant, section and field. */
export function sealSetting(secrets: Secrets, key: SecretKey, plain: string): string {
  return secrets.seal(plain, boundTo(key))
}

function boundTo({ tenantId, section, field }: SecretKey): string {
  return `tenants.settings ${tenantId} ${section}.${field}`
}
