import { cents } from '#lib/money.ts'
import type { ChangedOption, FormOption } from '#store'
import type { ServiceRow } from '../queries.ts'
import { plannedFrom } from '../renewals/terms.ts'
import type { OptionQuote } from './option-quote.ts'
import type { UpgradeQuote } from './quote.ts'

/** The product and components of a service once a change is made. */
export function goalOf({ product, components }: UpgradeQuote) {
  return { productId: product.id, components: [...components] }
}

/** The terms of a change as the API returns them. */
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

/** What a change of options leads to, as the API returns it. */
export function optionTermsOf(quote: OptionQuote) {
  const { scheduled, scheduledAt, customerPrice, changed } = quote
  return {
    ...termsOf(quote),
    changed: changed.map(changeView),
    scheduled: scheduled.map(changeView),
    scheduledAt,
    customerPrice,
  }
}

function changeView({ key, component }: ChangedOption) {
  return { key, label: component?.label ?? null, priceCents: component?.priceCents ?? cents(0) }
}

/** The options that a service has, and what is planned for them. */
export function serviceOptionsOf(
  { components, scheduledOptions, currentPeriodEnd, freeUntil }: ServiceRow,
  options: readonly FormOption[],
  valueKeys: ReadonlyMap<string, string>,
) {
  const at = currentPeriodEnd && plannedFrom({ currentPeriodEnd, freeUntil })
  const own = components.filter(({ kind }) => kind === 'option')
  return {
    kept: own.map(({ key, name, label, quantity, text, valueId, priceCents }) => {
      const value = valueKeys.get(valueId ?? '') ?? null
      return { key, name: name ?? key, label, value, quantity, text, priceCents }
    }),
    scheduled: (scheduledOptions?.options ?? []).map(changeView),
    scheduledAt: scheduledOptions ? at : null,
    options: [...options],
  }
}
