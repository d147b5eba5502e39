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

/** The problems for which a service waits for an operator. */
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
  /** All problems of the service. */
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
  /** What was paid for it so far, tax included; refunds are not subtracted. */
  paidCents: Amount,
})
export type TroubledService = Static<typeof TroubledService>

export const TroubleFilters = Type.Object({
  ...PageQuery.properties,
  kind: Type.Optional(OneOf(TROUBLES)),
})

/** A failed attempt to set a service up. */
export const ProvisioningAttempt = Resource('ProvisioningAttempt', {
  attempt: Type.Integer({
    minimum: 1,
    description: 'Counted over the life of the service; a retry by staff continues it',
  }),
  code: Type.String(),
  detail: Type.String({ description: 'What the panel answered, or why it was not asked' }),
  failedAt: Timestamp,
})

export const Replacement = Body({
  nodeId: Type.Optional(Id),
  locationIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, uniqueItems: true }),
  ),
  abandonServer: Type.Optional(
    Type.Boolean({
      description:
        'The first panel no longer exists: a server on it is neither looked for nor deleted',
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
