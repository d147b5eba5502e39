import { type Cents, cents, MAX_UNIT_PRICE_CENTS } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Config } from '#platform/config.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { sellerOf } from '#tenants'
import { type PreparedPayment, preparePayment } from '../attempts/prepare.ts'
import { takesCurrency } from '../gateways/amounts.ts'
import { gatewayOffers } from '../gateways/offers.ts'
import { openInvoice } from '../invoices/actions.ts'
import type { InvoiceDocument } from '../invoices/document.ts'
import type { InvoiceRow } from '../invoices/queries.ts'
import { lineTextsFor } from '../texts.ts'

type TopUp = { amountCents: Cents; gatewayId: string; returnUrl?: string | undefined }

/**
 * Begins to buy credit: a pro forma over the amount, without tax, which arises on what the credit
 * pays (R2.9), and a payment for it. Throws as `preparePayment`.
 */
export async function topUp(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
  { amountCents, ...how }: TopUp,
  now: Instant,
): Promise<{ invoice: InvoiceRow; prepared: PreparedPayment }> {
  const { currency, country } = await sellerOf(tx, tenantId)
  const { topUp: description } = await lineTextsFor(tx, { tenantId, userId })
  const document = topUpDocument(amountCents, { currency, country, description })
  const about = { tenantId, userId, kind: 'top_up' as const, reference: null }
  const invoice = await openInvoice(tx, { ...about, document, dueAt: now }, now)
  const wanted = { invoiceId: invoice.id, ...how }
  return { invoice, prepared: await preparePayment(tx, { tenantId, userId }, wanted, now) }
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
