import { HOUR_MS, MINUTE_MS } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'

/** The schedules that release and start things run every minute: what is this late has failed. */
const LATE_MS = 15 * MINUTE_MS
/** A place of an unpaid order is removed with the order, which waits for its money for some hours. */
const GIVEN_UP_MS = HOUR_MS

const MOST = 100

type Late = { id: string; what: string; at: string }

/** Reservations past their time, and paid services that should have started (R3.4, R4.8). */
export async function* faults(db: Db, tenantId: string): AsyncIterable<string> {
  for (const { id, what, at } of await listLate(db, tenantId)) {
    yield `Order ${id} ${what} since ${at}.`
  }
}

function listLate(db: Db, tenantId: string): Promise<Late[]> {
  return read(
    db,
    `select id, what, at from (
       select reference as id, 'holds stock past its time' as what, held_until as at
       from store.stock_holds
       where tenant_id = $1 and taken_at is null and released_at is null
         and held_until < now() - $2::bigint * interval '1 ms'
       union all
       select reference, 'holds a coupon past its time', held_until
       from store.coupon_redemptions
       where tenant_id = $1 and confirmed_at is null and released_at is null
         and held_until < now() - $2::bigint * interval '1 ms'
       union all
       select place.reference, 'is over and still has a place on a panel', orders.canceled_at
       from panel.reservations place
       join orders.orders on orders.tenant_id = place.tenant_id and orders.id = place.reference
       where place.tenant_id = $1 and place.placed_at is null
         and orders.canceled_at < now() - $3::bigint * interval '1 ms'
       union all
       select service.order_id, 'has a paid service that has not started', service.starts_at
       from services.services service
       join billing.invoices invoice
         on invoice.tenant_id = service.tenant_id and invoice.id = service.invoice_id
       where service.tenant_id = $1 and service.paid_at is null and service.ended_at is null
         and service.end_wanted_at is null and invoice.status = 'paid' and not invoice.disputed
         and service.starts_at < now() - $2::bigint * interval '1 ms'
     ) late order by at limit ${MOST}`,
    [tenantId, LATE_MS, GIVEN_UP_MS],
  )
}
