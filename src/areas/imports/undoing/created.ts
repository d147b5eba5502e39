import { type RawBuilder, sql } from 'kysely'
import { affiliatesOfImport } from '#affiliation'
import { tableOf } from '../outcomes/material.ts'
import { SOURCES } from '../sources/index.ts'
import { type Resource, WEEKS } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'
import { factsOf } from '../writing/people.ts'

/** Facts that an import of a system has added about people who had an account before, as a query of ids. */
export function factsBy({ tenantId, id }: ImportKey, system: string): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`
    select target_id as id from imports.origins
    where tenant_id = ${tenantId} and system = ${system} and source_table = ${factsOf(id)}`
}

/** The records that an import has created, each kind as a query of their ids. */
export type Created = ReturnType<typeof createdBy>

/**
 * The records that an import of a system has created. Merged people had an account before, or share another
 * client's: no hash is stored for them.
 */
export function createdBy({ tenantId, id }: ImportKey, system: string) {
  const source = SOURCES.find((it) => it.system === system)
  const targets = (resource: Resource, also = sql``) => sql<{ id: string }>`
    select target_id as id from imports.origins as origin
    where tenant_id = ${tenantId} and system = ${system} and import_id = ${id}
      and source_table = ${(source && tableOf(source, resource)) ?? ''} ${also}`
  const products = (source && tableOf(source, 'products')) ?? ''
  const imported = (table: string) => sql<{ id: string }>`
    select id from ${sql.table(table)}
    where tenant_id = ${tenantId} and imported ->> 'importId' = ${id}`
  return {
    people: targets('clients', sql`and target_hash is not null`),
    categories: targets('categories'),
    products: targets('products'),
    // Also plans of products of an earlier import: the id of a plan is derived from the import and its cycle.
    plans: sql<{ id: string }>`
      select plan.id from store.plans as plan
      join imports.origins as origin on origin.tenant_id = plan.tenant_id
        and origin.system = ${system} and origin.source_table = ${products}
        and origin.target_id = plan.product_id
      where plan.tenant_id = ${tenantId} and plan.id = imports.id_of(plan.created_at, ${id}::uuid,
        'plans ' || case plan.interval when 'week' then ${sql.raw(`${WEEKS}`)} + plan.interval_count
          when 'month' then plan.interval_count when 'year' then 12 * plan.interval_count else 0 end,
        origin.source_id)`,
    optionGroups: targets('option_groups'),
    options: targets('options'),
    // Also values that the old system does not have: that of a toggle that is off.
    optionValues: sql<{ id: string }>`
      ${targets('option_values')} union
      select value.id from store.option_values as value
      where value.tenant_id = ${tenantId} and value.key = 'off' and value.option_id in (${targets('options')})`,
    coupons: targets('coupons'),
    taxRates: targets('tax_rates'),
    services: imported('services.services'),
    invoices: imported('billing.invoices'),
    affiliates: affiliatesOfImport({ tenantId, importId: id }),
    referrals: targets('referrals'),
  } as const satisfies Record<string, RawBuilder<{ id: string }>>
}
