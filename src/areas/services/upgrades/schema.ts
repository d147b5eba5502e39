import { type Static, Type } from 'typebox'
import { HowToPayFields } from '#billing'
import {
  Amount,
  Body,
  Currency,
  Id,
  Nullable,
  OneOf,
  Resource,
  Text,
  Timestamp,
} from '#lib/schema.ts'
import { FormOption, WishedOptions } from '#store'
import { CustomerPrice } from '../schema.ts'
import { MISFITS, type Misfit } from './fits.ts'

const { gatewayId, paymentMethodId, useCredits, returnUrl } = HowToPayFields
const Token = Type.Optional(
  Type.String({
    ...{ minLength: 1, maxLength: 100 },
    description: '`quote` of a preview: the order costs exactly that, for 15 minutes',
  }),
)
const Wanted = {
  productId: { ...Id, description: 'One of the upgrade targets' },
  planId: Type.Optional({
    ...Id,
    description: 'By default the plan with the period of the current one',
  }),
  options: Type.Optional({
    ...WishedOptions,
    description:
      'Options of the new product, by their keys. What the service has and this does not name stays, at the prices of that product',
  }),
  dropOptions: Type.Optional(
    Type.Array(Type.String({ maxLength: 40 }), {
      ...{ maxItems: 50, uniqueItems: true },
      description:
        'The keys of options that the service loses; needed for each that the new product does not offer',
    }),
  ),
  preview: Type.Optional(
    Type.Boolean({ description: 'true: only answer what it costs; nothing changes' }),
  ),
  quote: Token,
}

export const UpgradeOrder = Body({
  ...Wanted,
  ...{ gatewayId, paymentMethodId, useCredits, returnUrl },
})
export type UpgradeOrder = Static<typeof UpgradeOrder>

/** What a change costs. Credit and charge are in the tenant's price mode; total is what is paid. */
export const Proration = Resource('ServiceUpgrade', {
  creditCents: Amount,
  chargeCents: Amount,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
  currency: Currency,
  lines: Type.Array(
    Type.Object({
      description: Type.String(),
      quantity: Type.Integer(),
      unitPriceCents: Amount,
      netCents: Amount,
    }),
  ),
})
export type Proration = Static<typeof Proration>

/** What a change leads to: what it costs, when it takes effect, and whether the panel has room for it. */
export const ChangeTerms = {
  proration: Proration,
  effect: OneOf(
    ['on_payment', 'at_once', 'next_period', 'credit_note'],
    '`next_period`: nothing is charged or credited now; `credit_note`: at once, and the difference becomes credit',
  ),
  effectiveAt: Nullable({
    ...Timestamp,
    description: 'When it takes effect; null where it waits for its payment',
  }),
}

/** Whether the server has room on the panel after a change. */
export const Room = {
  fits: Nullable(
    Type.Boolean({
      description: 'Whether the server fits that product; null when the panel does not answer',
    }),
  ),
  misfit: Nullable(OneOf(Object.keys(MISFITS) as Misfit[])),
}

/** What becomes of the options of a service with another product. */
export const OptionsAfter = {
  options: Type.Array(
    Resource('OptionAfterUpgrade', {
      ...{ key: Type.String(), name: Type.String() },
      before: Nullable({ ...Type.String(), description: 'Null where the service has none yet' }),
      after: Nullable({ ...Type.String(), description: 'Null where the service loses it' }),
      priceCents: { ...Amount, description: 'Of a period of the new product' },
      feeCents: { ...Amount, description: 'Charged once' },
    }),
    { description: 'The options that the service has before or after the change' },
  ),
}

/** A change that staff order for a customer. */
export const StaffUpgradeOrder = Body(Wanted)

export const UpgradeTarget = Resource('UpgradeTarget', {
  product: Type.Object({ id: Id, slug: Type.String(), name: Type.String() }),
  plan: Type.Object({ id: Id, name: Type.String() }),
  priceCents: Amount,
  /** For a period of the product, before discounts. */
  customerPrice: CustomerPrice,
  ...ChangeTerms,
  ...OptionsAfter,
  dropped: Type.Array(Type.String(), {
    description:
      'The keys of options that this product does not offer: `dropOptions` must name them',
  }),
})

const OptionValues = {
  ...WishedOptions,
  description:
    'By the keys of options: a value, a quantity or a text; `false` or 0 gives one up. Others stay',
}
const OptionsWanted = { options: OptionValues, preview: Wanted.preview, quote: Token }

export const OptionOrder = Body({
  ...OptionsWanted,
  ...{ gatewayId, paymentMethodId, useCredits, returnUrl },
})

/** A change of options that staff order for a customer. */
export const StaffOptionOrder = Body({
  ...OptionsWanted,
  waive: Type.Optional(
    Type.Boolean({ description: 'true: what is dearer costs nothing in periods that are paid' }),
  ),
  reason: Type.Optional({ ...Text(500), description: 'Needed with `waive`' }),
})

const ChangedOption = Resource('ChangedOption', {
  key: Type.String(),
  label: Nullable({
    ...Type.String(),
    description: 'Null where the service no longer has the option',
  }),
  priceCents: { ...Amount, description: 'Of a period' },
})

/** What a change of options leads to. */
export const OptionTerms = {
  ...ChangeTerms,
  changed: Type.Array(ChangedOption, { description: 'What changes with the payment, or at once' }),
  scheduled: Type.Array(ChangedOption, { description: 'What changes with the next period' }),
  scheduledAt: Nullable({ ...Timestamp, description: 'When that begins' }),
  /** For a period with all of these options, before discounts. */
  customerPrice: CustomerPrice,
}

/** The token of a preview. */
export const QuoteToken = Nullable({
  ...Type.String(),
  description: 'For an order at exactly this price within 15 minutes; null in answers to orders',
})

/** The options of a service on another plan. */
export const OnPlan = Type.Object({
  planId: Type.Optional({
    ...Id,
    description:
      'A plan of one of the upgrade targets: what the service would have and may have there, instead',
  }),
})

export const ServiceOptions = Resource('ServiceOptions', {
  kept: Type.Array(
    Resource('KeptOption', {
      key: Type.String(),
      name: Type.String(),
      label: Type.String(),
      value: Nullable(Type.String()),
      quantity: Nullable(Type.Integer()),
      text: Nullable(Type.String()),
      priceCents: { ...Amount, description: 'The price of a period that the service keeps' },
    }),
    { description: 'What the service has' },
  ),
  scheduled: Type.Array(ChangedOption, { description: 'What changes with the next period' }),
  scheduledAt: Nullable(Timestamp),
  options: Type.Array(FormOption, { description: 'What it may have, at the prices of today' }),
})
