import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  type HoldRow,
  insertHold,
  lockHolds,
  lockOverdueHolds,
  lockStock,
  type Reference,
  returnToStock,
  takeFromStock,
  updateHold,
} from './queries.ts'
import { outOfStock, perProduct, type StockItem } from './rules.ts'

type Held = { readonly items: readonly StockItem[]; readonly heldUntil: Instant }

/**
 * Keeps stock aside for an order until `heldUntil`: one statement per product looks and takes, so
 * the last piece is held once. An order that may not hold anything any more is only checked: its stock
 * is taken when its money comes. Throws 422 `out_of_stock`, and then nothing is held.
 */
export async function holdStock(
  tx: Tx,
  { tenantId, reference, items, heldUntil }: Reference & Held,
  now: Instant,
): Promise<void> {
  for (const { productId, quantity } of perProduct(items)) {
    const left = await takeFromStock(tx, { tenantId, productId, quantity })
    if (!left) throw outOfStock()
    // Nothing was taken from what has no limit, and nothing will have to go back.
    if (left.stock === null) continue
    const isHeld = heldUntil > now
    if (!isHeld) await returnToStock(tx, { tenantId, productId, quantity })
    const hold = { tenantId, reference, productId, quantity, createdAt: now, heldUntil }
    await insertHold(tx, { ...hold, releasedAt: isHeld ? null : now })
  }
}

/**
 * Takes an order's stock for good: its money has come. What was given back meanwhile is taken
 * again if it is still there. False when it is not, and then nothing has changed; safe to repeat.
 */
export async function takeStock(tx: Tx, order: Reference, now: Instant): Promise<boolean> {
  const open = (await lockHolds(tx, order)).filter(({ takenAt }) => !takenAt)
  const given = open.filter(({ releasedAt }) => releasedAt)
  const ids = given.map(({ productId }) => productId)
  const stock = new Map(
    (await lockStock(tx, order.tenantId, ids)).map((product) => [product.id, product.stock]),
  )
  const enough = given.every(({ productId, quantity }) => {
    const left = stock.get(productId)
    return left === null || (left ?? 0) >= quantity
  })
  if (!enough) return false
  for (const hold of given) await takeFromStock(tx, hold)
  for (const hold of open) await updateHold(tx, hold, { takenAt: now, releasedAt: null })
  return true
}

/** Gives back what an order holds; what it has paid for stays taken. Safe to repeat. */
export async function releaseStock(tx: Tx, order: Reference, now: Instant): Promise<void> {
  const held = (await lockHolds(tx, order)).filter((it) => !it.takenAt && !it.releasedAt)
  await release(tx, held, now)
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
  const holds = await lockHolds(tx, order)
  const hold = holds.find((it) => it.productId === productId && it.takenAt && !it.releasedAt)
  if (!hold || hold.quantity <= kept) return
  await updateHold(tx, hold, kept > 0 ? { quantity: kept } : { releasedAt: now, takenAt: null })
  await returnToStock(tx, { ...hold, quantity: hold.quantity - kept })
}

/** Gives back stock whose time is over; answers how many holds there were. */
export async function releaseOverdueStock(tx: Tx, now: Instant, limit: number): Promise<number> {
  const overdue = await lockOverdueHolds(tx, now, limit)
  await release(tx, overdue, now)
  return overdue.length
}

async function release(tx: Tx, holds: readonly HoldRow[], now: Instant): Promise<void> {
  for (const hold of holds) await updateHold(tx, hold, { releasedAt: now })
  for (const { productId, quantity } of perProduct(holds)) {
    const tenantId = holds.find((hold) => hold.productId === productId)?.tenantId
    if (tenantId) await returnToStock(tx, { tenantId, productId, quantity })
  }
}
