import { findInvoice, HOUSE_REASONS } from '#billing'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { giveBack } from '../life/money-back.ts'
import { type ServiceRow, updateService } from '../queries.ts'
import { withdrawBegunAfter } from '../renewals/closing.ts'
import {
  deletePriceChanges,
  insertPeriod,
  listPeriods,
  type PeriodRow,
  updatePeriod,
} from '../renewals/queries.ts'
import { listPaidUpgrades, type UpgradeRow } from './queries.ts'

/**
 * Puts a locked service on the product and plan of a change that was made. Period and anchor stay,
 * but for another cycle, whose periods begin at the change (R4.9, R4.10). A period that has begun and is
 * not paid was sold at the old price: it stays owed as it is, and is worth that.
 */
export async function moveOn(
  tx: Tx,
  service: ServiceRow,
  upgrade: UpgradeRow,
  now: Instant,
): Promise<void> {
  const { productId, planId, priceCents, valueCents } = upgrade
  const reason = HOUSE_REASONS.productChanged
  // Another cycle begins where it was ordered, and holds whatever comes after.
  const after = upgrade.anchorAt ?? now
  const invoicedTo = await withdrawBegunAfter(tx, service, { reason, after }, now)
  const planned = { scheduledProductId: null, scheduledPlanId: null }
  await deletePriceChanges(tx, service)
  await updateService(tx, service, {
    ...{ productId, planId, priceCents, valueCents, ...planned },
    ...{ invoicedTo, nextInvoiceAt: now },
  })
  const left = (await listPeriods(tx, service)).filter(({ endsAt }) => endsAt > now)
  const paid = left.filter((it) => it.paidAt || it.startsAt < (service.currentPeriodEnd ?? now))
  if (upgrade.anchorAt && upgrade.interval && upgrade.intervalCount) {
    const { anchorAt: anchor, interval, intervalCount } = upgrade
    return beginAnew(
      tx,
      service,
      { upgrade, paid, anchor, cycle: { interval, intervalCount } },
      now,
    )
  }
  for (const period of paid) {
    await updatePeriod(tx, period, { productId, planId, priceCents, valueCents })
  }
}

type NewCycle = {
  upgrade: UpgradeRow
  paid: readonly PeriodRow[]
  anchor: Instant
  cycle: Pick<ServiceRow, 'interval' | 'intervalCount'>
}

/** The first period of another cycle; what was paid beyond the change was credited. */
async function beginAnew(
  tx: Tx,
  service: ServiceRow,
  { upgrade, paid, anchor, cycle }: NewCycle,
  now: Instant,
): Promise<void> {
  for (const period of paid) {
    const begun = period.startsAt < anchor
    await updatePeriod(tx, period, begun ? { endsAt: anchor } : { voidedAt: now })
  }
  const end = boundary(anchor, cycle, 1)
  const { productId, planId, priceCents, valueCents, invoiceId } = upgrade
  const { tenantId, id: serviceId } = service
  await insertPeriod(tx, {
    ...{ tenantId, id: newId(), serviceId, productId, planId, invoiceId, priceCents, valueCents },
    ...{ startsAt: anchor, endsAt: end, dueAt: anchor, createdAt: now, paidAt: now },
    dunningAt: null,
  })
  await updateService(tx, service, {
    ...{ ...cycle, anchorAt: anchor, currentPeriodStart: anchor, currentPeriodEnd: end },
    ...{ invoicedTo: end, nextInvoiceAt: now },
  })
}

/**
 * Gives back what the old plan was still worth, tax included, by credit notes over the invoices it was
 * paid with, newest first (R4.9).
 */
export async function creditOld(
  tx: Tx,
  service: ServiceRow,
  amountCents: Cents,
  now: Instant,
): Promise<void> {
  const { tenantId, currentPeriodStart } = service
  const since = currentPeriodStart ?? now
  const periods = (await listPeriods(tx, service)).filter(({ startsAt }) => startsAt >= since)
  const upgrades = (await listPaidUpgrades(tx, service)).filter((it) => (it.paidAt ?? '') >= since)
  const invoices = [...periods, ...upgrades.reverse()].flatMap(({ invoiceId }) => invoiceId ?? [])
  let left: number = amountCents
  for (const invoiceId of new Set(invoices)) {
    if (left <= 0) return
    const invoice = await findInvoice(tx, { tenantId, invoiceId })
    if (invoice?.status !== 'paid') continue
    const back = {
      amountCents: cents(left),
      to: 'credit' as const,
      reason: HOUSE_REASONS.changeOfProduct,
    }
    left -= await giveBack(tx, invoice, back, now)
  }
}
