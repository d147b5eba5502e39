import { HOUSE_REASONS } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { conflict, notFound } from '#lib/problem.ts'
import { DAY_MS, dayOf, type Instant, later } from '#lib/time.ts'
import { notify } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { withoutValues } from '../components/rules.ts'
import { lockService, type ServiceKey, updateService } from '../queries.ts'
import { withdrawPeriods } from '../renewals/closing.ts'
import { insertPeriod, listPeriods } from '../renewals/queries.ts'
import { rollService } from '../renewals/settlement.ts'
import { findOpenUpgrade } from '../upgrades/queries.ts'
import { hasSameFreeDays } from './queries.ts'
import { assertMayGetFree } from './rules.ts'
import type { FreeDays } from './schema.ts'

/**
 * Gives a service days without a price after the last paid period. A renewal that is invoiced and unpaid is invoiced
 * again with the later dates; the customer is told. Returns false, and gives nothing, if the same number of days was
 * given for the same reason within the last 24 hours: a second click. Throws 404; 409 while a change is under way, or
 * money is due; 422 for a plan without periods that are paid in advance.
 */
export async function giveFreeDays(
  tx: Tx,
  key: ServiceKey,
  { days, reason }: FreeDays,
  now: Instant,
): Promise<boolean> {
  if (!(await lockService(tx, key))) throw notFound('Service')
  if (await hasSameFreeDays(tx, key, { days, reason }, now)) return false
  // First, a period that has begun and is paid becomes the current one.
  await rollService(tx, key, now)
  const service = await lockService(tx, key)
  if (!service) throw notFound('Service')
  const { tenantId, id: serviceId } = service
  assertMayGetFree(service, await listPeriods(tx, service), now)
  if (await findOpenUpgrade(tx, tenantId, serviceId)) {
    throw conflict('A change of this service is under way.', 'upgrade_in_progress')
  }
  const withdrawn = await withdrawPeriods(tx, service, HOUSE_REASONS.freeDays, now)
  const startsAt = withdrawn ?? service.currentPeriodEnd
  const endsAt = later(startsAt, days * DAY_MS)
  const { userId, productId, planId, priceCents, name, delivery } = service
  await insertPeriod(tx, {
    ...{ tenantId, id: newId(), serviceId, invoiceId: null, productId, planId, priceCents },
    ...{ startsAt, endsAt, valueCents: cents(0), createdAt: now, paidAt: now, dueAt: startsAt },
    ...{ dunningAt: null, freePriceCents: priceCents, freeDays: days, freeReason: reason },
    components: withoutValues(service.components),
  })
  await updateService(tx, service, { invoicedTo: endsAt, freeUntil: endsAt, nextInvoiceAt: now })
  const data = { name, days, until: dayOf(endsAt), reason, delivery }
  const link = `/servers/${serviceId}`
  await notify(tx, { tenantId, userId, kind: 'free_days', data, link }, now)
  return true
}
