import { type Static, Type } from 'typebox'
import { Amount, Currency, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

export const STATUSES = [
  'pending',
  'provisioning',
  'active',
  'suspended',
  'failed',
  'ended',
] as const
export const ServiceStatus = OneOf(STATUSES)
export type ServiceStatus = Static<typeof ServiceStatus>

export const MEMBER_PERMISSIONS = [
  'view',
  'power',
  'console',
  'files',
  'backups',
  'settings',
] as const
export const MemberPermission = OneOf(MEMBER_PERMISSIONS)
export type MemberPermission = Static<typeof MemberPermission>

const Interval = OneOf(['one_time', 'hour', 'week', 'month', 'year'])

export const Service = Resource('Service', {
  id: Id,
  name: Type.String(),
  status: ServiceStatus,
  product: Type.Object({ id: Id, slug: Type.String(), name: Type.String() }),
  plan: Type.Object({
    id: Id,
    name: Type.String(),
    interval: Interval,
    intervalCount: Type.Integer(),
    priceCents: Amount,
    currency: Currency,
  }),
  currentPeriodStart: Nullable(Timestamp),
  currentPeriodEnd: Nullable(Timestamp),
  autoRenew: Type.Boolean(),
  cancelAtPeriodEnd: Type.Boolean(),
  scheduledChange: Nullable(Type.Object({ productId: Id, planId: Id, at: Timestamp })),
  managed: Type.Boolean(),
  panel: Nullable(
    Type.Object({
      serverId: Type.Integer(),
      identifier: Type.String(),
      address: Nullable(Type.String()),
      url: Type.String(),
    }),
  ),
  role: OneOf(['owner', 'member']),
  permissions: Type.Array(MemberPermission),
  failure: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  currency: Currency,
  createdAt: Timestamp,
  startsAt: Nullable({
    ...Timestamp,
    description:
      'When a paid service begins whose customer did not ask for an immediate start; null for all others',
  }),
  activatedAt: Nullable(Timestamp),
  suspendedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
  endReason: Nullable(Type.String()),
})
export type Service = Static<typeof Service>

/** How something that is done on the panel goes. */
const Way = {
  attempt: Type.Integer(),
  nextAt: Nullable(Timestamp),
  lastError: Nullable(Type.Object({ code: Type.String(), detail: Type.String(), at: Timestamp })),
}

/** What an administrator sees beside that, and how its setting up goes. */
export const AdminService = Resource('AdminService', {
  ...Service.properties,
  userId: Id,
  orderId: Nullable(Id),
  nodeId: Nullable(Id),
  externalId: Type.String(),
  /** Why its server is to be suspended, or is. */
  suspendReasons: Type.Array(Type.String()),
  cancelReason: Nullable(Type.String()),
  /** One of the codes that a cancellation may give. */
  cancelCode: Nullable(Type.String()),
  nextInvoiceAt: Nullable(Timestamp),
  renewalFailure: Nullable(Type.String()),
  deleteServerAt: Nullable(Timestamp),
  provisioning: Nullable(Type.Object(Way)),
  transition: Nullable(
    Type.Object({ to: OneOf(['active', 'suspended', 'ended', 'deleted']), ...Way }),
  ),
  upgrade: Nullable(
    Type.Object({
      id: Id,
      productId: Id,
      planId: Id,
      invoiceId: Nullable(Id),
      paidAt: Nullable(Timestamp),
      ...Way,
    }),
  ),
})
export type AdminService = Static<typeof AdminService>
