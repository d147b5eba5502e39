import type { UpgradeQuote } from './quote.ts'

/** The terms of a change as answers show them. */
export function termsOf({ proration, effect, effectiveAt }: UpgradeQuote) {
  return { proration, effect, effectiveAt }
}

/** A product that a service may change to, with the terms of the change. */
export function targetOf(quote: UpgradeQuote) {
  const { product, plan, priceCents, customerPrice } = quote
  return {
    product: { id: product.id, slug: product.slug, name: product.name },
    plan: { id: plan.id, name: plan.name },
    ...{ priceCents, customerPrice, ...termsOf(quote) },
  }
}
