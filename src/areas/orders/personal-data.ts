import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { deleteAllowance, findAllowance } from './allowances/queries.ts'
import { ordersOf } from './export.ts'
import { listImportedOrdersOf } from './imported.ts'
import { deleteNotes } from './queries.ts'

/** What is stored about a person's orders, and about what they may order. */
export function personalData(db: Db, user: UserKey) {
  return {
    orders: ordersOf(db, user),
    importedOrders: () => listImportedOrdersOf(db, user),
    orderLimits: async () => {
      const own = await findAllowance(db, user)
      if (!own) return null
      const { maxOpenServices, maxOpenOrders, openOrdersPerProduct, maxHeldUnits, changedAt } = own
      return { maxOpenServices, maxOpenOrders, openOrdersPerProduct, maxHeldUnits, changedAt }
    },
  }
}

/** Deletes the limits that staff set for a person, and the notes of their orders; the orders stay with the books. */
export async function erase(tx: Tx, { tenantId, userId }: Leaving): Promise<void> {
  await deleteAllowance(tx, { tenantId, userId })
  await deleteNotes(tx, { tenantId, userId })
}
