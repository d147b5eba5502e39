import {
  findInvoice,
  HOUSE_REASONS,
  lockExpired,
  proFormaEnd,
  replaceQuote,
  voidInvoice,
} from '#billing'
import { Problem } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Requote } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { wishFor } from '#store'
import { changesBetween, optionsAmong } from '../components/rules.ts'
import { lockService, type ServiceRow } from '../queries.ts'
import { documentOf } from './actions.ts'
import { quoteOptions } from './option-quote.ts'
import { cancelUpgrade } from './payment.ts'
import { findUpgrade, lockUpgrade, type UpgradeRow, updateUpgrade } from './queries.ts'
import { quoteUpgrade, type UpgradeQuote } from './quote.ts'

/**
 * Prices an unpaid change as it would cost today if it had been ordered when it was: elapsed time does
 * not change the price (R3.4). If plan, tax or paid periods have changed, it is quoted from now, on a
 * new invoice; if nothing is due any more, it is given up. A change that is not possible now keeps its
 * price: its outcome is decided when it is made.
 */
export const requoteUpgrade: Requote = async (
  tx,
  { tenantId, invoiceId, reference, pages },
  now,
) => {
  const key = reference ? { tenantId, id: reference } : undefined
  const found = key && (await findUpgrade(tx, key))
  const service = found && (await lockService(tx, { tenantId, id: found.serviceId }))
  const upgrade = key && (await lockUpgrade(tx, key))
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  if (!service || !invoice || upgrade?.invoiceId !== invoiceId) return null
  if (upgrade.paidAt || upgrade.canceledAt) return null
  const quote = await quoteAgain(tx, service, upgrade)
  const today = await quoted(quote(now, now))
  if (!today) return null
  const asOrdered = await quoted(quote(now, upgrade.pricedAt ?? invoice.createdAt))
  const said = asOrdered && documentOf(service, asOrdered)
  const expired = await lockExpired(tx, { tenantId, invoiceId, pages }, said)
  if (!expired) return null
  if (today.effect !== 'on_payment' || today.document.totalCents <= 0) {
    await cancelUpgrade(tx, upgrade, now)
    const reason = HOUSE_REASONS.changeCostsNothing
    await voidInvoice(tx, { tenantId, invoiceId }, reason, now)
    return { invoiceId: null }
  }
  const offer = {
    document: documentOf(service, today),
    dueAt: await proFormaEnd(tx, tenantId, now),
  }
  const { id } = await replaceQuote(tx, expired, offer, now)
  const { priceCents, valueCents, anchorAt, countedPeriodIds, creditedCents, parts } = today
  const { components, pricedAt } = today
  const terms = { priceCents, valueCents, anchorAt, countedPeriodIds, parts, components, pricedAt }
  await updateUpgrade(tx, upgrade, { ...terms, creditCents: creditedCents, invoiceId: id })
  return { invoiceId: id }
}

/** Prepares a quote of the same change, as of a given time. */
async function quoteAgain(
  tx: Tx,
  service: ServiceRow,
  { kind, productId, planId, components, componentsBefore }: UpgradeRow,
): Promise<(now: Instant, since: Instant) => Promise<UpgradeQuote>> {
  if (kind === 'product') {
    const changes = changesBetween(optionsAmong(service.components), optionsAmong(components))
    const options = await wishFor(
      tx,
      service.tenantId,
      [],
      changes.filter(({ component }) => component !== null),
    )
    const wish = {
      ...{ productId, planId, options, isStaff: true },
      dropOptions: changes.flatMap(({ key, component }) => (component ? [] : [key])),
      heldValueIds: components.flatMap(({ valueId }) => valueId ?? []),
    }
    return (now, since) => quoteUpgrade(tx, service, wish, now, since)
  }
  const changed = changesBetween(componentsBefore ?? [], components)
  const options = await wishFor(tx, service.tenantId, service.components, changed)
  const wish = { options, isStaff: true, waive: false }
  return (now, since) => quoteOptions(tx, service, wish, now, since)
}

/** A quote; null if the change is not possible now. */
async function quoted(quote: Promise<UpgradeQuote>): Promise<UpgradeQuote | null> {
  try {
    return await quote
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
