import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  Id,
  Line,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { AdminService } from '../schema.ts'

/** What a service waits for an operator with. */
export const TROUBLES = [
  'failed',
  'provisioning',
  'transition',
  'upgrade',
  'unmanaged',
  'renewal',
  'unwarned',
  'delivery',
] as const
export type Trouble = (typeof TROUBLES)[number]

export const TroubledService = Resource('TroubledService', {
  ...AdminService.properties,
  /** Everything that is wrong with it. */
  troubles: Type.Array(
    Type.Object({
      kind: OneOf(TROUBLES),
      since: Nullable(Timestamp),
      attempts: Type.Integer(),
      lastError: Nullable(
        Type.Object({ code: Type.String(), detail: Type.String(), at: Nullable(Timestamp) }),
      ),
    }),
  ),
  /** What was paid for it so far, tax included; what was given back is not taken off. */
  paidCents: Amount,
})
export type TroubledService = Static<typeof TroubledService>

export const TroubleFilters = Type.Object({
  ...PageQuery.properties,
  kind: Type.Optional(OneOf(TROUBLES)),
})

export const Replacement = Body({
  nodeId: Type.Optional(Id),
  locationIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, uniqueItems: true }),
  ),
  abandonServer: Type.Optional(
    Type.Boolean({
      description:
        'The first panel is gone for good: a server that may be there is neither looked for nor deleted',
    }),
  ),
})
export type Replacement = Static<typeof Replacement>

export const RefundOrder = Body({
  to: OneOf(['payment', 'credit']),
  reason: Type.Optional(Line(500)),
})
export type RefundOrder = Static<typeof RefundOrder>

export const Refunded = Resource('ServiceRefund', {
  service: AdminService,
  refundCents: Amount,
  currency: Currency,
})

export const Attachment = Body({ nodeId: Id })
