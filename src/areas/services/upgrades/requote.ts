import {
  findInvoice,
  HOUSE_REASONS,
  lockExpired,
  proFormaEnd,
  replaceQuote,
  voidInvoice,
} from '#billing'
import { Problem } from '#lib/problem.ts'
import type { Requote } from '#platform/area.ts'
import { lockService } from '../queries.ts'
import { cancelUpgrade, documentOf } from './actions.ts'
import { findUpgrade, lockUpgrade, updateUpgrade } from './queries.ts'
import { quoteUpgrade, type UpgradeQuote } from './quote.ts'

/**
 * Prices a change that nobody has paid as it would cost today had it been ordered when it was: time
 * that passed since is no other price (R3.4). Where plan, tax or what is paid for has changed, it is
 * quoted from now, on a new invoice; where it costs nothing any more, it is given up. One that
 * cannot be made at this moment keeps its price: what comes of it is decided when it is made.
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
  const { productId, planId } = upgrade
  const wanted = { productId, planId }
  const today = await quoted(quoteUpgrade(tx, service, wanted, now))
  if (!today) return null
  const asOrdered = await quoted(quoteUpgrade(tx, service, wanted, now, invoice.createdAt))
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
  const terms = { priceCents, valueCents, anchorAt, countedPeriodIds, parts }
  await updateUpgrade(tx, upgrade, { ...terms, creditCents: creditedCents, invoiceId: id })
  return { invoiceId: id }
}

/** A quote; null where the change is not possible as it stands. */
async function quoted(quote: Promise<UpgradeQuote>): Promise<UpgradeQuote | null> {
  try {
    return await quote
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
