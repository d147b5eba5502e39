import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Row, Tx } from '#platform/database/index.ts'

/** What has a stock: a product, or a value of an option. The stock holds of each are in a table of their own. */
export type Shelf = 'product' | 'value'

const TABLES = {
  product: { stock: 'store.products', holds: 'store.stock_holds', id: 'product_id' },
  value: { stock: 'store.option_values', holds: 'store.value_holds', id: 'value_id' },
} as const satisfies Readonly<Record<Shelf, object>>

export type Reference = Pick<Row<'store.stock_holds'>, 'tenantId' | 'reference'>

/** A quantity of one thing that has a stock. */
export type Amount = {
  readonly tenantId: string
  readonly shelf: Shelf
  readonly id: string
  readonly quantity: number
}

/** A stock hold of an order; if it is neither taken nor released, it waits for payment. */
export type Hold = Amount & {
  readonly reference: string
  readonly takenAt: Instant | null
  readonly releasedAt: Instant | null
}

/** Takes from a stock if it has that much; returns what is left, null if it is unlimited. */
export async function takeFromStock(
  tx: Tx,
  { tenantId, shelf, id, quantity }: Amount,
): Promise<{ stock: number | null } | undefined> {
  const { rows } = await sql<{ stock: number | null }>`
    update ${sql.table(TABLES[shelf].stock)} set stock = stock - ${quantity}::integer
    where tenant_id = ${tenantId} and id = ${id} and (stock is null or stock >= ${quantity}::integer)
    returning stock`.execute(tx)
  return rows[0]
}

export async function returnToStock(
  tx: Tx,
  { tenantId, shelf, id, quantity }: Amount,
): Promise<void> {
  await sql`update ${sql.table(TABLES[shelf].stock)} set stock = stock + ${quantity}::integer
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Returns a unit of a value that a service gives up: `unused`, or if its host has set that units come back (S1.10). */
export async function returnUnit(
  tx: Tx,
  { tenantId, id, unused }: { tenantId: string; id: string; unused: boolean },
): Promise<void> {
  await tx
    .updateTable('store.option_values')
    .set({ stock: sql<number | null>`stock + 1` })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .$if(!unused, (it) => it.where('stockReturns', '=', true))
    .execute()
}

/** The remaining stock of products or values, locked in the order in which every transaction locks them. */
export async function lockStock(
  tx: Tx,
  { tenantId, shelf, ids }: { tenantId: string; shelf: Shelf; ids: readonly string[] },
): Promise<{ id: string; stock: number | null }[]> {
  const { rows } = await sql<{ id: string; stock: number | null }>`
    select id, stock from ${sql.table(TABLES[shelf].stock)}
    where tenant_id = ${tenantId} and id = any(${[...ids]}::uuid[])
    order by id for update`.execute(tx)
  return rows
}

export async function insertHold(
  tx: Tx,
  hold: Omit<Hold, 'takenAt'> & { readonly createdAt: Instant; readonly heldUntil: Instant },
): Promise<void> {
  const { tenantId, reference, shelf, id, quantity, createdAt, heldUntil, releasedAt } = hold
  const { holds, id: column } = TABLES[shelf]
  await sql`insert into ${sql.table(holds)}
    (tenant_id, reference, ${sql.ref(column)}, quantity, created_at, held_until, released_at)
    values (${tenantId}, ${reference}, ${id}, ${quantity}, ${createdAt}, ${heldUntil}, ${releasedAt})`.execute(
    tx,
  )
}

/** The columns of a hold, the same for each shelf. */
function holdColumns(shelf: Shelf) {
  return sql`tenant_id as "tenantId", reference, ${shelf}::text as shelf, ${sql.ref(TABLES[shelf].id)} as id,
    quantity, taken_at as "takenAt", released_at as "releasedAt"`
}

/** The stock holds of an order on a shelf, locked in the order in which every transaction locks them. */
export async function lockHolds(
  tx: Tx,
  shelf: Shelf,
  { tenantId, reference }: Reference,
): Promise<Hold[]> {
  const { holds, id } = TABLES[shelf]
  const { rows } = await sql<Hold>`select ${holdColumns(shelf)} from ${sql.table(holds)}
    where tenant_id = ${tenantId} and reference = ${reference}
    order by ${sql.ref(id)} for update`.execute(tx)
  return rows
}

/** Locks holds that ended without payment, of any tenant; those locked by another transaction are left out. */
export async function lockOverdueHolds(
  tx: Tx,
  shelf: Shelf,
  { now, limit }: { now: Instant; limit: number },
): Promise<Hold[]> {
  const { rows } = await sql<Hold>`select ${holdColumns(shelf)}
    from ${sql.table(TABLES[shelf].holds)}
    where held_until <= ${now} and taken_at is null and released_at is null
    order by held_until limit ${limit} for update skip locked`.execute(tx)
  return rows
}

/** Writes the state of a hold, and its remaining quantity. */
export async function updateHold(
  tx: Tx,
  { tenantId, reference, shelf, id, quantity, takenAt, releasedAt }: Hold,
): Promise<void> {
  const { holds, id: column } = TABLES[shelf]
  await sql`update ${sql.table(holds)}
    set quantity = ${quantity}, taken_at = ${takenAt}, released_at = ${releasedAt}
    where tenant_id = ${tenantId} and reference = ${reference} and ${sql.ref(column)} = ${id}`.execute(
    tx,
  )
}
