import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { consentOf } from './consent/rules.ts'
import { listItems, listOrdersOf } from './queries.ts'
import { viewOf } from './rules.ts'

const PAGE = 100

/**
 * The orders of a person for the export of their data, with the consent they gave at checkout. Page
 * by page, so that they are never in memory as a whole.
 */
export async function* ordersOf(db: Db, user: UserKey) {
  let cursor: string | null | undefined
  do {
    const page = await listOrdersOf(db, user, { limit: PAGE, ...(cursor && { cursor }) })
    const ids = page.data.map(({ id }) => id)
    const items = Map.groupBy(await listItems(db, user.tenantId, ids), ({ orderId }) => orderId)
    for (const order of page.data) {
      const { immediateStart, startsAt } = order
      const consent = consentOf(order)
      const { payable: _payable, ...view } = viewOf(order, items.get(order.id) ?? [], new Set())
      yield { ...view, immediateStart, startsAt, consent }
    }
    cursor = page.nextCursor
  } while (cursor)
}
