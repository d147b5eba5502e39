import { cents } from '#lib/money.ts'
import type { ChangedOption, Component, FormOption } from '#store'
import { optionsAmong } from '../components/rules.ts'
import type { ServiceRow } from '../queries.ts'
import { plannedFrom } from '../renewals/terms.ts'
import type { OptionQuote } from './option-quote.ts'
import type { TargetQuote, UpgradeQuote } from './quote.ts'

/** The product and components of a service once a change is made. */
export function goalOf({ product, components }: UpgradeQuote) {
  return { productId: product.id, components: [...components] }
}

/** The terms of a change as the API returns them. */
export function termsOf({ proration, effect, effectiveAt }: UpgradeQuote) {
  return { proration, effect, effectiveAt }
}

/** The terms of a change to another product as the API returns them, with the options before and after it. */
export function upgradeTermsOf(service: Pick<ServiceRow, 'components'>, quote: UpgradeQuote) {
  return { ...termsOf(quote), options: optionsAfter(service, quote) }
}

function optionsAfter(
  { components }: Pick<ServiceRow, 'components'>,
  { components: next, options: changed }: UpgradeQuote,
) {
  const [before, after] = [optionsAmong(components), optionsAmong(next)]
  const gone = before.filter(({ key }) => !after.some((it) => it.key === key))
  return [...after, ...gone].map(({ key, name }) => {
    const has = after.find((it) => it.key === key)
    const fee = changed.find((it) => it.key === key)?.component?.feeCents
    return {
      ...{ key, name: name ?? key, after: has?.label ?? null },
      before: before.find((it) => it.key === key)?.label ?? null,
      ...{ priceCents: has?.priceCents ?? cents(0), feeCents: fee ?? cents(0) },
    }
  })
}

/** A product that a service may change to, with the terms of the change. */
export function targetOf(service: Pick<ServiceRow, 'components'>, quote: TargetQuote) {
  const { product, plan, priceCents, customerPrice, dropped } = quote
  return {
    product: { id: product.id, slug: product.slug, name: product.name },
    plan: { id: plan.id, name: plan.name },
    ...{ priceCents, customerPrice, ...upgradeTermsOf(service, quote) },
    dropped: [...dropped],
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
  service: ServiceRow,
  { kept, isPlanned }: { readonly kept: readonly Component[]; readonly isPlanned: boolean },
  form: {
    readonly options: readonly FormOption[]
    readonly valueKeys: ReadonlyMap<string, string>
  },
) {
  const { currentPeriodEnd, freeUntil } = service
  const { options, valueKeys } = form
  const scheduledOptions = isPlanned ? service.scheduledOptions : null
  const at = currentPeriodEnd && plannedFrom({ currentPeriodEnd, freeUntil })
  return {
    kept: optionsAmong(kept).map(({ key, name, label, quantity, text, valueId, priceCents }) => {
      const value = valueKeys.get(valueId ?? '') ?? null
      return { key, name: name ?? key, label, value, quantity, text, priceCents }
    }),
    scheduled: (scheduledOptions?.options ?? []).map(changeView),
    scheduledAt: scheduledOptions ? at : null,
    options: [...options],
  }
}
