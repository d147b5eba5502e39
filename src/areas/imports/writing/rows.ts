import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { MADE_AT, type Resource, WEEKS } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'

/** An import that is being written: its tenant and id, and the time. */
export type Writing = ImportKey & { readonly now: Instant }

/** The number of parts that are written in parallel. A person is in one part with all that belongs to them. */
export const LANES = 2

/** The part for records that connect people of different parts: it is written after these. */
export const LAST_LANE = LANES

/** A part of an import that is being written. */
export type Part = Writing & { readonly lane: number }

/** The part of the person behind a row of clients. */
export function laneOf(client = 'client') {
  return sql.raw(`mod(abs(${client}.survivor), ${LANES})`)
}

/** Whether the person of a row is in a part. */
export function inLane({ lane }: Part, client = 'client') {
  return sql`${laneOf(client)} = ${lane}::bigint`
}

/** The staged rows of a resource, under an alias. */
export function staged(resource: Resource, as: string) {
  return sql.raw(`imports.staged_${resource} as ${as}`)
}

/** The rows of an import that are imported now. */
export function wanted({ tenantId, id }: Writing, as: string) {
  return sql`${sql.raw(`${as}.tenant_id`)} = ${tenantId} and ${sql.raw(`${as}.import_id`)} = ${id}
    and ${sql.raw(`${as}.outcome is null`)}`
}

/** The rows of an import that were imported before and are updated now. */
export function updated({ tenantId, id }: Writing, as: string) {
  return sql`${sql.raw(`${as}.tenant_id`)} = ${tenantId} and ${sql.raw(`${as}.import_id`)} = ${id}
    and ${sql.raw(`${as}.reason = 'updated'`)}`
}

/** A condition for rows of a resource: `wanted` or `updated`. */
export type Which = typeof wanted

/** Whether a row has a record here, from this import or an earlier one. */
export function isHere(as: string) {
  return sql.raw(`(${as}.outcome is null or ${as}.reason in
    ('already_imported', 'updated', 'changed_here', 'owner_changed', 'document_changed'))`)
}

/** A row of another resource, by its id in the other system. */
export function joined(
  resource: Resource,
  as: string,
  on: string,
  how: 'join' | 'left join' = 'join',
): RawBuilder<unknown> {
  return sql.raw(`${how} imports.staged_${resource} as ${as}
    on ${as}.tenant_id = item.tenant_id and ${as}.import_id = item.import_id
    and ${as}.source_id = ${on} and ${as}.outcome is distinct from 'failed'`)
}

/**
 * The person of a row: their client in the old system, the client into which that was merged, and the
 * currency of the client.
 */
export const PERSON = sql`${joined('clients', 'client', 'item.client')}
  ${joined('clients', 'owner', 'client.survivor')}
  ${joined('currencies', 'currency', 'client.currency')}`

/** Like `PERSON`, for rows that may name a currency of their own. */
export const PARTY = sql`${joined('clients', 'client', 'item.client')}
  ${joined('clients', 'owner', 'client.survivor')}
  ${joined('currencies', 'currency', 'coalesce(nullif(item.currency, 0), client.currency)')}`

/** In the order of ids, transactions of two parts would wait for each other at the same end of an index. */
export const BY_PERSON = sql`order by item.client`

/** The interval of a cycle, from the column with its months. */
export function intervalOf(months: string) {
  return sql.raw(`case when coalesce(${months}, 0) = 0 then 'one_time'
    when ${months} > ${WEEKS} then 'week' when ${months} % 12 = 0 then 'year' else 'month' end`)
}

/** How many of its intervals a cycle lasts. */
export function countOf(months: string) {
  return sql.raw(`(case when coalesce(${months}, 0) = 0 then 1
    when ${months} > ${WEEKS} then ${months} - ${WEEKS} when ${months} % 12 = 0 then ${months} / 12 else ${months} end)::integer`)
}

/**
 * The id of a row's record here: that of an earlier import, or the one that was staged with the row. It is
 * computed for rows that were staged without one. Null if a left join found no row.
 */
export function idOf({ id, now }: Writing, resource: Resource, as: string) {
  const at = MADE_AT[resource]
  const made = at
    ? sql`coalesce(${sql.raw(`${as}.${at}`)}, ${now}::timestamptz)`
    : sql`${now}::timestamptz`
  const source = sql.raw(`${as}.source_id`)
  return sql`coalesce(${sql.raw(`${as}.target_id`)},
    imports.id_of(${made}, ${id}::uuid, ${resource}, ${source}))`
}

/** Converts hundredths of a currency to its smallest unit. */
export function cents(amount: string, currency = 'currency'): RawBuilder<unknown> {
  return sql.raw(`(case ${currency}.decimals when 2 then ${amount} when 0 then (${amount}) / 100
    when 1 then (${amount}) / 10 else (${amount}) * 10 end)`)
}

/** When a row was created; now, if that is unknown. */
export function madeAt({ now }: Writing, column: string) {
  return sql`coalesce(${sql.raw(column)}, ${now}::timestamptz)`
}
