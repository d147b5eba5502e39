import { type RawBuilder, sql } from 'kysely'
import { tableOf } from './outcomes/material.ts'
import { SOURCES } from './sources/index.ts'

type Wanted = { readonly tenantId: string; readonly q: string }

/**
 * A query for the ids of people or services that had a typed number as their id in another system; null if the text is
 * not such a number.
 */
export function idsByFormerId(
  resource: 'clients' | 'services',
  { tenantId, q }: Wanted,
): RawBuilder<unknown> | null {
  if (!/^[1-9]\d{0,14}$/.test(q)) return null
  const tables = SOURCES.flatMap((source) => tableOf(source, resource) ?? [])
  return sql`(select origin.target_id from imports.origins as origin
    where origin.tenant_id = ${tenantId} and origin.system = any(${SOURCES.map((it) => it.system)})
      and origin.source_table = any(${tables}) and origin.source_id = ${q}::bigint)`
}
