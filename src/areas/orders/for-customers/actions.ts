import type { Caller } from '#lib/caller.ts'
import { conflict, notFound } from '#lib/problem.ts'
import { DAY_MS, dayOf, type Instant, later } from '#lib/time.ts'
import { notify } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { priceOrder, type WantedOrder } from '#store'
import { settingsOf } from '#tenants'
import { lockUser } from '#users'
import { type Placed, placeOrder } from '../actions.ts'
import { allowOrder } from '../allowances/actions.ts'
import { startOf } from '../consent/actions.ts'
import type { CartSurvey } from '../servers.ts'
import { orderSettings } from '../settings.ts'

type Wish = WantedOrder & {
  /** The id that the order gets. */
  readonly id: string
  readonly userId: string
  readonly daysToPay?: number
  readonly survey: CartSurvey
  readonly secrets: Secrets
}

/**
 * Places an order for a customer, who is asked to pay it, with the prices and within the limits of their own
 * checkout. They have accepted no terms and requested no immediate start: an order that needs the request begins when
 * the time to withdraw is over. Throws 404 for an unknown or deleted customer and for an
 * unknown coupon, 409 for a suspended one, 422 with the reason if something cannot be ordered as it is.
 */
export async function orderFor(
  tx: Tx,
  staff: Caller,
  { id, userId, daysToPay, survey, secrets, ...wanted }: Wish,
  now: Instant,
): Promise<Placed> {
  const { tenantId } = staff
  // Orders of a customer are placed one after the other, whoever places them.
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('User')
  if (user.suspendedAt) throw conflict('This account is suspended.', 'account_suspended')
  const terms = await settingsOf(tx, tenantId, orderSettings)
  const quote = await priceOrder(tx, { tenantId, userId }, wanted, now)
  await allowOrder(tx, user, { quote, terms }, now)
  const waiting = { ...terms, withoutConsent: 'wait' as const }
  const start = await startOf(tx, user, { quote, terms: waiting, immediateStart: false }, now)
  const until = later(now, (daysToPay ?? terms.staffOrderDays) * DAY_MS)
  const placed = await placeOrder(
    tx,
    user,
    {
      ...{ reference: id, quote, survey, secrets, heldUntil: until, dueAt: until },
      facts: {
        ...{ immediateStart: false, ...start, note: null },
        ...{ termsVersion: null, termsLanguage: null },
      },
      placedBy: staff.userId,
    },
    now,
  )
  const { order, invoice } = placed
  const { totalCents: amountCents, currency, number } = order
  const dueOn = invoice.status === 'open' ? dayOf(until) : null
  const data = { number, amountCents, currency, dueOn }
  const link = `/invoices/${invoice.id}`
  await notify(tx, { tenantId, userId, kind: 'order_placed', data, link }, now)
  return placed
}
