import { type Static, Type } from 'typebox'
import { HowToPayFields, InvoiceSchema, PaymentSchema } from '#billing'
import {
  Amount,
  Body,
  Currency,
  DayOn,
  Id,
  Line,
  Nullable,
  OneOf,
  Price,
  Resource,
} from '#lib/schema.ts'
import { Service } from '../schema.ts'
import { StartupWish } from '../startup/schema.ts'

/** The longest name that game panels take. */
const Name = Line(191)

export const ServiceChange = Body({
  name: Type.Optional(Name),
  autoRenew: Type.Optional(
    Type.Boolean({
      description: 'false: no further period is invoiced, and it ends with the paid one',
    }),
  ),
  planId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: 'Another plan of its product from the next period on; null: stay as it is',
    }),
  ),
  ...StartupWish,
})
export type ServiceChange = Static<typeof ServiceChange>

/** Why customers cancel, for the host's figures. */
export const CANCEL_CODES = [
  ...(['too_expensive', 'not_needed', 'missing_feature', 'performance'] as const),
  ...(['support', 'switched', 'other'] as const),
] as const

export const Cancellation = Body({
  at: OneOf(
    ['period_end', 'now'],
    '`period_end`: with the last paid period; can be revoked. `now`: at once, and its data is deleted',
  ),
  reasonCode: Type.Optional(OneOf(CANCEL_CODES, 'For the figures of the shop')),
  reason: Type.Optional(Line(500)),
})
export type Cancellation = Static<typeof Cancellation>

export const Renewal = Body(HowToPayFields)
export const Renewed = Resource('ServiceRenewal', {
  service: Service,
  invoice: Nullable(InvoiceSchema),
  payment: Nullable(PaymentSchema),
})

export const Withdrawn = Resource('ServiceWithdrawal', {
  service: Service,
  refundCents: Amount,
  currency: Currency,
})

export const AdminServiceChange = Body({
  name: Type.Optional(Name),
  autoRenew: Type.Optional(Type.Boolean()),
  cancelAtPeriodEnd: Type.Optional(Type.Boolean()),
  priceCents: Type.Optional(Price),
  effectiveFrom: Type.Optional({
    ...DayOn,
    description:
      'The first day of the new price, required with `priceCents`; at least 30 days ahead',
  }),
  locationId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: 'After staff have moved its server',
    }),
  ),
})
export type AdminServiceChange = Static<typeof AdminServiceChange>

export const Termination = Body({
  reason: Type.Optional(OneOf(['terminated', 'fraud', 'refunded'])),
  keepData: Type.Optional(
    Type.Boolean({ description: 'Whether the server stays, suspended, for some days' }),
  ),
})
