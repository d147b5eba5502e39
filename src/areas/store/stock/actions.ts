import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  type Hold,
  insertHold,
  lockHolds,
  lockOverdueHolds,
  lockStock,
  type Reference,
  returnToStock,
  returnUnit,
  type Shelf,
  takeFromStock,
  updateHold,
} from './queries.ts'
import { added, inLockOrder, outOfStock, type StockItem } from './rules.ts'

type Held = { readonly items: readonly StockItem[]; readonly heldUntil: Instant }

const SHELVES: readonly Shelf[] = ['product', 'value']

/**
 * Reserves products and values of options for an order until `heldUntil`: one statement for each checks and takes the
 * stock, so the last piece is reserved only once. If `heldUntil` has passed, the stock is only checked: it is taken
 * when the order is paid. Throws 422 `out_of_stock`, and then nothing is reserved.
 */
export async function reserveStock(
  tx: Tx,
  { tenantId, reference, items, heldUntil }: Reference & Held,
  now: Instant,
): Promise<void> {
  for (const { key, ...wanted } of added(items)) {
    const amount = { tenantId, ...wanted }
    const left = await takeFromStock(tx, amount)
    if (!left) throw outOfStock(key)
    // Unlimited stock was not reduced, so nothing will have to be returned.
    if (left.stock === null) continue
    const isHeld = heldUntil > now
    if (!isHeld) await returnToStock(tx, amount)
    const times = { createdAt: now, heldUntil, releasedAt: isHeld ? null : now }
    await insertHold(tx, { ...amount, reference, ...times })
  }
}

/**
 * Makes the stock of an order final once it is paid. What was given back meanwhile is taken again if all of it is still
 * in stock. False if it is not, and then nothing has changed; safe to repeat.
 */
export async function confirmStock(tx: Tx, order: Reference, now: Instant): Promise<boolean> {
  const open = (await holdsOf(tx, order)).filter(({ takenAt }) => !takenAt)
  const given = open.filter(({ releasedAt }) => releasedAt)
  const left = await leftOf(tx, order.tenantId, given)
  if (given.some(({ id, quantity }) => (left.get(id) ?? 0) < quantity)) return false
  for (const hold of given) await takeFromStock(tx, hold)
  for (const hold of open) await updateHold(tx, { ...hold, takenAt: now, releasedAt: null })
  return true
}

/** Gives back the stock reserved for an order; what it has paid for stays taken. Safe to repeat. */
export async function releaseStock(tx: Tx, order: Reference, now: Instant): Promise<void> {
  const held = (await holdsOf(tx, order)).filter((it) => !it.takenAt && !it.releasedAt)
  await release(tx, held, now)
}

/** Gives back all stock reserved or taken for an order that will not be fulfilled. Safe to repeat. */
export async function releaseOrderStock(tx: Tx, order: Reference, now: Instant): Promise<void> {
  for (const hold of (await holdsOf(tx, order)).filter((it) => !it.releasedAt)) {
    await updateHold(tx, { ...hold, takenAt: null, releasedAt: now })
    await returnToStock(tx, hold)
  }
}

/**
 * Returns to stock what an order took of a product and did not get: it keeps `kept` pieces, at least 0. Safe to repeat.
 */
export async function returnStock(
  tx: Tx,
  order: Reference,
  { productId, kept }: { productId: string; kept: number },
  now: Instant,
): Promise<void> {
  const holds = await lockHolds(tx, 'product', order)
  const hold = holds.find((it) => it.id === productId && it.takenAt && !it.releasedAt)
  if (!hold || hold.quantity <= kept) return
  const after = kept > 0 ? { quantity: kept } : { releasedAt: now, takenAt: null }
  await updateHold(tx, { ...hold, ...after })
  await returnToStock(tx, { ...hold, quantity: hold.quantity - kept })
}

/**
 * Returns a unit of each value that a service gives up: if the host has set it so, and always if the service never ran
 * (S1.10).
 */
export async function returnValues(
  tx: Tx,
  {
    tenantId,
    valueIds,
    unused,
  }: { tenantId: string; valueIds: readonly string[]; unused: boolean },
): Promise<void> {
  for (const id of valueIds.toSorted()) await returnUnit(tx, { tenantId, id, unused })
}

/** Gives back the stock holds of a shelf whose time is over; returns how many there were. */
export async function releaseOverdue(
  tx: Tx,
  shelf: Shelf,
  now: Instant,
  limit: number,
): Promise<number> {
  const overdue = await lockOverdueHolds(tx, shelf, { now, limit })
  await release(tx, overdue, now)
  return overdue.length
}

/** All stock holds of an order, in the order in which every transaction locks them. */
async function holdsOf(tx: Tx, order: Reference): Promise<Hold[]> {
  const holds: Hold[] = []
  for (const shelf of SHELVES) holds.push(...(await lockHolds(tx, shelf, order)))
  return holds
}

/** The remaining stock of what was held, by id; infinite if it has no limit. */
async function leftOf(
  tx: Tx,
  tenantId: string,
  holds: readonly Hold[],
): Promise<ReadonlyMap<string, number>> {
  const left = new Map<string, number>()
  for (const shelf of SHELVES) {
    const ids = holds.flatMap((it) => (it.shelf === shelf ? [it.id] : []))
    if (ids.length === 0) continue
    const rows = await lockStock(tx, { tenantId, shelf, ids })
    for (const { id, stock } of rows) left.set(id, stock ?? Number.POSITIVE_INFINITY)
  }
  return left
}

async function release(tx: Tx, holds: readonly Hold[], now: Instant): Promise<void> {
  for (const hold of holds.toSorted(inLockOrder)) {
    await updateHold(tx, { ...hold, releasedAt: now })
    await returnToStock(tx, hold)
  }
}
