import type { Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'

/** The numbers of the invoices and credit notes among some ids, by id. */
export async function numbersOf(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await read<{ id: string; number: string }>(db, NUMBERS, [tenantId, [...ids]])
  return new Map(rows.map(({ id, number }) => [id, number]))
}

const NUMBERS = `
  select id, number from billing.invoices
  where tenant_id = $1 and id = any($2::uuid[]) and number is not null
  union all
  select id, number from billing.credit_notes where tenant_id = $1 and id = any($2::uuid[])
`

/** A series of numbers and its latest number. */
export type SeriesState = {
  readonly code: string
  readonly year: number
  readonly lastSequence: number
  readonly lastIssuedAt: Instant | null
}

/** All series of a tenant, by year and code. */
export function listSeries(db: Db, tenantId: string): Promise<SeriesState[]> {
  return read(db, SERIES, [tenantId])
}

const SERIES = `
  select code, year, next_sequence - 1 as "lastSequence", last_issued_at as "lastIssuedAt"
  from billing.invoice_series where tenant_id = $1 order by year, code
`

/** The names of all gateways, archived ones included, by id. */
export async function gatewayNames(db: Db, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const text = 'select id, name from billing.gateways where tenant_id = $1'
  const rows = await read<{ id: string; name: string }>(db, text, [tenantId])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The drivers of all gateways, archived ones included, by id. */
export async function gatewayDrivers(
  db: Db,
  tenantId: string,
): Promise<ReadonlyMap<string, string>> {
  const text = 'select id, driver from billing.gateways where tenant_id = $1'
  const rows = await read<{ id: string; driver: string }>(db, text, [tenantId])
  return new Map(rows.map(({ id, driver }) => [id, driver]))
}
