import { type Html, html } from '#platform/pages/html.ts'
import type { OrderableProduct } from '#store'
import { formatsOf } from '../parts/formats.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import type { Plan } from './catalogue.ts'
import type { Sizes } from './sizes.ts'

type Option = OrderableProduct['orderForm']['options'][number]
type Price = Option['prices'][number]
export type Wish = Readonly<Record<string, string | number | boolean>>

/** The prefix of the name of an option's field, before its key; errors and values use that name. */
export const OPTION_PREFIX = 'option.'
/** How forms mark the kind of an option's value, because they send only texts. */
const SENT = { quantity: 'number.', toggle: 'switch.', select: '', text: '' } as const

type Typed = { readonly value: string | undefined; readonly error: string | undefined }

/** An option of a product in the control that fits it, with its prices for each plan. */
export function optionField(
  visit: Visit,
  { plans }: Pick<OrderableProduct, 'plans'>,
  option: Option,
  { value, error }: Typed,
): Html {
  const { key, kind, name, description, required } = option
  const id = OPTION_PREFIX + key
  const tie = html` id="${id}" name="${OPTION_PREFIX}${SENT[kind]}${key}" aria-describedby="${id}-hint"${error ? html` aria-invalid="true"` : null}${required && kind !== 'toggle' ? html` required` : null}`
  const costs = kind === 'select' ? [] : costsOf(visit, plans, option, null)
  const said = [description, ...costs].filter((it) => it !== null && it !== '').join(' · ')
  const note = html`<p class="hint${error ? html` err` : null}" id="${id}-hint">${error ?? said}</p>`
  if (kind === 'toggle') {
    const on = html`<input type="checkbox"${tie} value="on"${extra(plans, option, 'on')}${adds(amountsOf(option, 'on'))}${value === 'on' ? html` checked` : null}>`
    return html`<fieldset><legend>${name}</legend><label class="switch">${on}<span>${labelOf(option, 'on')}</span></label>${note}</fieldset>`
  }
  return html`<fieldset><legend>${name}</legend><label class="field"><span class="vh">${name}</span>${controlOf(visit, plans, option, { tie, value })}</label>${note}</fieldset>`
}

type Control = { readonly tie: Html; readonly value: string | undefined }

function controlOf(
  visit: Visit,
  plans: readonly Plan[],
  option: Option,
  { tie, value }: Control,
): Html {
  const { kind, values, required } = option
  if (kind === 'select') {
    const chosen = value ?? values.find((it) => it.default)?.key
    const none = required && !chosen ? html`<option value="">–</option>` : null
    const choices = values.map((it) => {
      const label = [it.label, ...costsOf(visit, plans, option, it.key)].join(' ')
      return html`<option value="${it.key}"${extra(plans, option, it.key)}${adds(it.amounts)}${it.key === chosen ? html` selected` : null}${it.available ? null : html` disabled`}>${label}</option>`
    })
    return html`<select${tie}>${none}${choices}</select>`
  }
  if (kind === 'text') {
    const { maxLength, pattern } = option
    return html`<input${tie} value="${value ?? ''}" autocomplete="off"${maxLength === null ? null : html` maxlength="${maxLength}"`}${pattern === null ? null : html` pattern="${pattern}"`}>`
  }
  const { min, max, step, display, unit } = option
  const bounds = html` min="${min ?? 0}" max="${max ?? 0}" step="${step ?? 1}" value="${value ?? min ?? 0}"`
  // The slider sets the number; it is shown once a script connects them.
  const slider =
    display === 'slider'
      ? html`<input type="range"${bounds} data-slider hidden tabindex="-1" aria-hidden="true">`
      : null
  const tiers = html` data-tiers="${JSON.stringify(tiersOf(plans, option))}"`
  return html`${slider}<span class="few"><input type="number" inputmode="numeric"${tie}${bounds}${tiers}${adds(option.amounts)}>${unit === null ? null : html` ${unit}`}</span>`
}

function labelOf({ values, name }: Option, key: string): string {
  return values.find((it) => it.key === key)?.label ?? name
}

/** The prices of an option for a plan: of one value, or of its tiers. */
function pricesWith({ prices }: Option, plan: Plan, value: string | null): Price[] {
  return prices.filter(
    (it) =>
      it.interval === plan.interval &&
      it.intervalCount === plan.intervalCount &&
      it.currency === plan.currency &&
      (value === null || it.value === value),
  )
}

/** What an option costs for each plan, as text for the buyer; prices of zero are left out. */
function costsOf(
  { texts }: Visit,
  plans: readonly Plan[],
  option: Option,
  value: string | null,
): string[] {
  const { money } = formatsOf(texts)
  const said = plans.flatMap((plan) =>
    pricesWith(option, plan, value).flatMap(({ tier, totalCents, feeTotalCents, currency }) => {
      const unit = option.kind === 'quantity' ? ` / ${option.unit ?? '1'}` : ''
      const each = `${rangeOf(option, tier)}+${money(totalCents, currency)} ${intervalText(texts, plan)}${unit}`
      const fee = texts.product.setup(money(feeTotalCents, currency))
      return [...(totalCents > 0 ? [each] : []), ...(feeTotalCents > 0 ? [fee] : [])]
    }),
  )
  return [...new Set(said)]
}

/** The quantities that a tier applies to, if there are several tiers: `21–50: `, `51+: `. */
function rangeOf({ tiers }: Option, tier: number | null): string {
  if (tier === null || tiers.length < 2) return ''
  const from = (tiers[tier - 1]?.upTo ?? 0) + 1
  const upTo = tiers[tier]?.upTo ?? null
  return upTo === null ? `${from}+: ` : `${from}–${upTo}: `
}

type Due = readonly [one: number, each: number]

/** What is due today: a trial begins for free, hours are paid afterwards. */
function dueOf({ interval, trialDays }: Plan, period: number, fee: number): Due {
  const each = (interval === 'hour' ? 0 : period) + fee
  return [trialDays > 0 ? 0 : each, each]
}

/** What a value adds today to each plan, for the script. */
function extra(plans: readonly Plan[], option: Option, value: string): Html | null {
  const due = plans.flatMap((plan) =>
    pricesWith(option, plan, value).map((it) => [
      plan.id,
      dueOf(plan, it.totalCents, it.feeTotalCents),
    ]),
  )
  return due.length > 0 ? html` data-extra="${JSON.stringify(Object.fromEntries(due))}"` : null
}

/** The tiers of a quantity for each plan, for the script: the upper limit, the price of a unit, and the fee. */
function tiersOf(plans: readonly Plan[], option: Option) {
  const { priceMode: mode, tiers } = option
  const entries = plans.map((plan) => {
    const rows = pricesWith(option, plan, null)
    const steps = rows.map(({ tier, totalCents, feeTotalCents }) => {
      const due = dueOf(plan, totalCents, 0)
      return { upTo: tiers[tier ?? 0]?.upTo ?? null, due, fee: dueOf(plan, 0, feeTotalCents) }
    })
    return [plan.id, steps] as const
  })
  return { mode, plans: Object.fromEntries(entries) }
}

/** What the chosen options add today to a plan: to a single unit, and to each unit if there are several. */
export function optionsToday(
  options: readonly Option[],
  plan: Plan,
  values: Readonly<Record<string, string>>,
): Due {
  const dues = options.map((option): Due => {
    const value = values[OPTION_PREFIX + option.key]
    if (option.kind === 'text') return [0, 0]
    if (option.kind === 'quantity') return quantityToday(option, plan, Number(value ?? option.min))
    const preset = option.values.find((it) => it.default)?.key
    const [price] = pricesWith(option, plan, value ?? preset ?? 'off')
    return price ? dueOf(plan, price.totalCents, price.feeTotalCents) : [0, 0]
  })
  return [dues.reduce((sum, [one]) => sum + one, 0), dues.reduce((sum, [, each]) => sum + each, 0)]
}

/** What a quantity adds today. The script calculates it in the same way. */
function quantityToday(option: Option, plan: Plan, quantity: number): Due {
  if (!(quantity > 0)) return [0, 0]
  const steps = tiersOf([plan], option).plans[plan.id] ?? []
  let [before, period, once] = [0, 0, 0]
  for (const { upTo, due, fee } of steps) {
    const end = Math.min(quantity, upTo ?? quantity)
    const isIn = quantity > before && quantity <= (upTo ?? quantity)
    const inTier = Math.max(0, end - before)
    const units = option.priceMode === 'volume' ? (isIn ? quantity : 0) : inTier
    period += units * due[1]
    // The fee is that of the tier which contains the quantity.
    if (isIn) once = fee[1]
    before = upTo ?? quantity
  }
  const each = period + once
  return [plan.trialDays > 0 ? 0 : each, each]
}

/** What a value of an option adds to the server. */
function amountsOf({ values }: Option, key: string): Sizes | undefined {
  return values.find((it) => it.key === key)?.amounts
}

/** What a choice adds to the server, for the script; null if it adds nothing that the page shows. */
function adds(amounts: Sizes | undefined): Html | null {
  const said = Object.entries(amounts ?? {}).filter(([, amount]) => amount > 0)
  return said.length > 0 ? html` data-adds="${JSON.stringify(Object.fromEntries(said))}"` : null
}

/** What the chosen options add to the server. The script calculates it in the same way. */
export function addedSizes(
  options: readonly Option[],
  values: Readonly<Record<string, string>>,
): Sizes {
  const sum = { memoryMb: 0, cpuPercent: 0, diskMb: 0, backups: 0 }
  for (const option of options) {
    const { kind, min, amounts } = option
    const value = values[OPTION_PREFIX + option.key]
    const preset = option.values.find((it) => it.default)?.key
    const one = kind === 'quantity' ? amounts : amountsOf(option, value ?? preset ?? 'off')
    const units = kind === 'quantity' ? Math.max(0, Number(value ?? min) || 0) : 1
    for (const name of SIZES) sum[name] += (one?.[name] ?? 0) * units
  }
  return sum
}

const SIZES = ['memoryMb', 'cpuPercent', 'diskMb', 'backups'] as const

/** The options in a form; a checkbox that is not ticked sends nothing, and is off. */
export function optionsIn(form: Readonly<Record<string, string>>): Wish {
  const entries = Object.entries(form).flatMap(([name, value]): [string, Wish[string]][] => {
    if (!name.startsWith(OPTION_PREFIX)) return []
    const field = name.slice(OPTION_PREFIX.length)
    if (field.startsWith(SENT.toggle)) return [[field.slice(SENT.toggle.length), value === 'on']]
    if (value.trim() === '') return []
    if (!field.startsWith(SENT.quantity)) return [[field, value]]
    const quantity = Number(value)
    return [[field.slice(SENT.quantity.length), Number.isFinite(quantity) ? quantity : value]]
  })
  return Object.fromEntries(entries)
}

/** Options by the names of their fields, as a form shows them. */
export function optionValues(wish: Wish): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wish).map(([key, value]) => {
      const shown = typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
      return [OPTION_PREFIX + key, shown]
    }),
  )
}
