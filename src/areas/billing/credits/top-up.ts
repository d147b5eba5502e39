import { type Cents, cents, MAX_UNIT_PRICE_CENTS } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Config } from '#platform/config.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { sellerOf, settingsOf } from '#tenants'
import { lockUser } from '#users'
import { type PreparedPayment, preparePayment } from '../attempts/prepare.ts'
import { takesCurrency } from '../gateways/amounts.ts'
import { gatewayOffers } from '../gateways/offers.ts'
import { openInvoice } from '../invoices/actions.ts'
import type { InvoiceDocument } from '../invoices/document.ts'
import { countUnpaidTopUps, type InvoiceRow } from '../invoices/queries.ts'
import { billingSettings } from '../settings.ts'
import { lineTextsFor } from '../texts.ts'

type TopUp = { amountCents: Cents; gatewayId: string; returnUrl?: string | undefined }

/**
 * Starts the purchase of credit: a pro forma over the amount, without tax, which arises on what the credit pays
 * (R2.9), and a payment for it. Throws as `preparePayment` does, and 422 for a customer with more unpaid
 * top-ups in a day than the tenant allows.
 */
export async function topUp(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
  { amountCents, ...how }: TopUp,
  now: Instant,
): Promise<{ invoice: InvoiceRow; prepared: PreparedPayment }> {
  await assertPays(tx, { tenantId, userId }, now)
  const { currency, country } = await sellerOf(tx, tenantId)
  const { topUp: description } = await lineTextsFor(tx, { tenantId, userId })
  const document = topUpDocument(amountCents, { currency, country, description })
  const about = { tenantId, userId, kind: 'top_up' as const, reference: null }
  const invoice = await openInvoice(tx, { ...about, document, dueAt: now }, now)
  const wanted = { invoiceId: invoice.id, ...how }
  return { invoice, prepared: await preparePayment(tx, { tenantId, userId }, wanted, now) }
}

/** Each top-up leaves a few rows, so the number per day is limited. */
async function assertPays(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
  now: Instant,
): Promise<void> {
  const { maxUnpaidTopUpsPerDay } = await settingsOf(tx, tenantId, billingSettings)
  await lockUser(tx, { tenantId, userId })
  const unpaid = await countUnpaidTopUps(tx, { tenantId, userId }, later(now, -DAY_MS))
  if (unpaid < maxUnpaidTopUpsPerDay) return
  const message = `You have begun ${unpaid} top-ups in 24 hours without paying them. Pay one of them, or try again tomorrow.`
  throw unprocessable(message, 'unpaid_top_ups_limit')
}

/** How much credit can be bought at once, in the currency of the shop; null without a gateway that takes it. */
export async function topUpLimits(db: Db, tenantId: string, config: Config) {
  const { currency } = await sellerOf(db, tenantId)
  const offers = await gatewayOffers(db, tenantId, config)
  const taking = offers.filter(({ driver }) => takesCurrency(driver, currency))
  if (taking.length === 0) return null
  const minimumCents = cents(Math.min(...taking.map((offer) => offer.minimumCents)))
  return { minimumCents, maximumCents: cents(MAX_UNIT_PRICE_CENTS), currency }
}

function topUpDocument(
  amountCents: Cents,
  { currency, country, description }: { currency: string; country: string; description: string },
): InvoiceDocument {
  const none = cents(0)
  const amounts = {
    subtotalCents: amountCents,
    discountCents: none,
    netCents: amountCents,
    taxCents: none,
    totalCents: amountCents,
  }
  const tax = { category: 'O' as const, rateBasisPoints: null, country }
  const line = { description, quantity: 1, unitPriceCents: amountCents, tax, ...amounts }
  const taxes = [{ ...tax, netCents: amountCents, taxCents: none }]
  return { currency, priceMode: 'exclusive', ...amounts, lines: [line], taxes }
}
