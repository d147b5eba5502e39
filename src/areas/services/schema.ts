import { type Static, type TSchema, Type } from 'typebox'
import { Amount, Currency, Id, Named, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { ShownLocation } from '#panel'
import { ShownComponent } from '#store'

export const STATUSES = [
  'pending',
  'provisioning',
  'active',
  'suspended',
  'failed',
  'ended',
] as const
export const ServiceStatus = Named('ServiceStatus', OneOf(STATUSES))
export type ServiceStatus = Static<typeof ServiceStatus>

export const MEMBER_PERMISSIONS = [
  'view',
  'power',
  'console',
  'files',
  'backups',
  'settings',
] as const
export const MemberPermission = Named('MemberPermission', OneOf(MEMBER_PERMISSIONS))
export type MemberPermission = Static<typeof MemberPermission>

/** Why a server is to be suspended. Payment ends the first reason, only an administrator the second. */
export const SUSPEND_REASONS = ['unpaid', 'admin', 'dispute'] as const
export const SuspendReason = OneOf(SUSPEND_REASONS)
export type SuspendReason = Static<typeof SuspendReason>

const Interval = Named('Interval', OneOf(['one_time', 'hour', 'week', 'month', 'year']))

/** A field that only the owner of a service sees, because it is about their money. */
function OwnersOnly<T extends TSchema>(schema: T, description: string) {
  return Nullable({ ...schema, description })
}

/** What a period costs a customer: the total that they pay, and the tax in it, which is 0 if none is charged. */
export const CustomerPrice = Resource('CustomerPrice', { totalCents: Amount, taxCents: Amount })
export type CustomerPrice = Static<typeof CustomerPrice>

const ServicePrices = Resource('ServicePrices', {
  ...CustomerPrice.properties,
  nextTotalCents: Nullable(Amount),
})
export type ServicePrices = Static<typeof ServicePrices>

export const Service = Resource('Service', {
  id: Id,
  name: Type.String(),
  status: ServiceStatus,
  delivery: OneOf(['server', 'manual', 'webhook', 'none'], 'Only `server` has a server'),
  product: Resource('ServiceProduct', { id: Id, slug: Type.String(), name: Type.String() }),
  plan: Resource('ServicePlan', {
    id: Id,
    name: Type.String(),
    interval: Interval,
    intervalCount: Type.Integer(),
    priceCents: { ...Amount, description: 'With everything beside the plan' },
    currency: Currency,
  }),
  components: Type.Array(ShownComponent, {
    description: 'Beside its plan, at the prices that it keeps; fees that are still to be charged',
  }),
  currentPeriodStart: Nullable(Timestamp),
  currentPeriodEnd: Nullable(Timestamp),
  autoRenew: Type.Boolean(),
  cancelAtPeriodEnd: Type.Boolean(),
  scheduledChange: Nullable(
    Resource('ScheduledChange', { productId: Id, planId: Id, at: Timestamp }),
  ),
  managed: Type.Boolean(),
  panel: Nullable(
    Resource('ServerOnPanel', {
      serverId: Type.Integer(),
      identifier: Type.String(),
      address: Nullable(Type.String()),
      url: Type.String({ description: 'The page of the server on the panel' }),
      signOn: OneOf(
        ['oidc', 'link'],
        '`oidc`: `signOnUrl` signs in to the panel with the account of the shop; `link`: the panel has its own sign-in',
      ),
      signOnUrl: Nullable(Type.String()),
    }),
  ),
  role: OneOf(['owner', 'member']),
  permissions: Type.Array(MemberPermission),
  failure: Nullable(Resource('ServiceFailure', { code: Type.String(), message: Type.String() })),
  currency: Currency,
  createdAt: Timestamp,
  startsAt: Nullable({
    ...Timestamp,
    description: 'When a paid service begins that does not start at once',
  }),
  activatedAt: Nullable(Timestamp),
  suspendedAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
  endReason: Nullable(Type.String()),
  limits: Nullable(
    Type.Object(
      {
        ...{ memoryMb: Type.Integer(), diskMb: Type.Integer(), cpuPercent: Type.Integer() },
        swapMb: Type.Integer({ description: '-1: unlimited' }),
      },
      {
        title: 'ServerLimits',
        description: 'Limits of its server; 0 is unlimited, CPU is in percent of one core',
      },
    ),
  ),
  featureLimits: Nullable(
    Resource('ServerFeatureLimits', {
      ...{ databases: Type.Integer(), backups: Type.Integer(), allocations: Type.Integer() },
    }),
  ),
  game: Nullable(Type.String({ description: 'The name of the egg of its product' })),
  location: Nullable(ShownLocation),
  suspendReasons: Type.Array(SuspendReason, {
    description: 'Why its server is suspended, or is to be; empty for those it is shared with',
  }),
  openInvoiceId: OwnersOnly(Id, 'Its oldest open invoice; null for those it is shared with'),
  dueCents: OwnersOnly(
    Amount,
    'What is due on that invoice, other services included; null without one',
  ),
  freeUntil: Nullable({
    ...Timestamp,
    description: 'The end of its free days; null without any',
  }),
  trialEndsAt: Nullable({
    ...Timestamp,
    description: 'When its free trial ends or ended',
  }),
  deleteServerAt: Nullable({
    ...Timestamp,
    description: 'When the server of an ended service is deleted with its data',
  }),
  /**
   * A period before discounts, and the next invoice; null except for its owner, after its end, and in responses to
   * changes.
   */
  prices: Nullable(ServicePrices),
})
export type Service = Static<typeof Service>

/** One service, with details that take too long to find out for a list. */
export const ServiceDetails = Resource('ServiceDetails', {
  ...Service.properties,
  nextInvoiceAt: OwnersOnly(Timestamp, 'When the next period is invoiced, for its owner'),
  nextTotalCents: OwnersOnly(
    Amount,
    'What the next invoice would come to today, with tax and coupons; null where none is to come, or its price depends on use',
  ),
  withdrawableUntil: OwnersOnly(
    Timestamp,
    'Until when its customer may withdraw from the order; null where they may not',
  ),
  upgrade: Nullable(
    Type.Object(
      {
        id: Id,
        productId: Id,
        planId: Id,
        invoiceId: OwnersOnly(Id, 'The invoice of the difference'),
        createdAt: Timestamp,
        paidAt: Nullable(Timestamp),
      },
      { description: 'A change of plan that is not done yet' },
    ),
  ),
  handover: Nullable(
    Type.Object(
      {
        state: OneOf(['waiting', 'done', 'failed']),
        dueAt: Nullable({ ...Timestamp, description: 'Null for `webhook`' }),
        doneAt: Nullable(Timestamp),
        hasDetails: Type.Boolean(),
      },
      { description: 'How the delivery by staff or by webhook goes; null for other deliveries' },
    ),
  ),
  setup: Type.Object(
    {
      ...{ paidAt: Nullable(Timestamp), startedAt: Nullable(Timestamp) },
      serverCreatedAt: Nullable(Timestamp),
      ...{ installStartedAt: Nullable(Timestamp), installEndedAt: Nullable(Timestamp) },
      activatedAt: Nullable(Timestamp),
    },
    { description: 'When each step of setting up its server was reached; null for those to come' },
  ),
})
export type ServiceDetails = Static<typeof ServiceDetails>

/** The progress of work on the panel. */
const Way = {
  attempt: Type.Integer(),
  nextAt: Nullable(Timestamp),
  lastError: Nullable(
    Resource('PanelAnswer', { code: Type.String(), detail: Type.String(), at: Timestamp }),
  ),
}

const { prices: _, ...SeenByStaff } = Service.properties

/** What an administrator sees in addition, with the progress of its setup. */
export const AdminService = Resource('AdminService', {
  ...SeenByStaff,
  userId: Id,
  customerName: Type.String(),
  customerEmail: Type.String(),
  orderId: Nullable(Id),
  nodeId: Nullable(Id),
  locationId: Nullable(Id),
  externalId: Type.String(),
  /** Why its server is to be suspended, or is. */
  suspendReasons: Type.Array(Type.String()),
  cancelReason: Nullable(Type.String()),
  /** One of the codes that a cancellation may give. */
  cancelCode: Nullable(Type.String()),
  nextInvoiceAt: Nullable(Timestamp),
  renewalFailure: Nullable(Type.String()),
  deleteServerAt: Nullable(Timestamp),
  provisioning: Nullable(Resource('ServiceWork', Way)),
  transition: Nullable(
    Resource('ServiceTransition', {
      to: OneOf(['active', 'suspended', 'ended', 'deleted']),
      ...Way,
    }),
  ),
  upgrade: Nullable(
    Resource('UpgradeUnderWay', {
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
