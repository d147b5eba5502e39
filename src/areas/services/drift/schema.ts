import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, PageQuery, Resource, Timestamp } from '#lib/schema.ts'

/**
 * The kinds of differences between a panel and our services: a server with our external id but without
 * a service, one that we did not create, a service without its server, other limits, another
 * suspension, another owner, a server whose service is on no panel connection, and one that another
 * system created for an imported service.
 */
export const KINDS = [
  'orphan',
  'unknown',
  'missing',
  'limits',
  'suspension',
  'owner',
  'unattached',
  'imported',
] as const
export type Kind = (typeof KINDS)[number]
const KindSchema = OneOf(KINDS)

/** What can be repaired; an unknown server is adopted, or left alone. */
const RepairKind = OneOf([
  ...(['orphan', 'missing', 'limits', 'suspension', 'owner', 'unattached', 'imported'] as const),
])

const Failure = Resource('DriftFailure', {
  code: Type.String(),
  detail: Type.String(),
  at: Timestamp,
})
const Facts = Nullable(Type.Record(Type.String(), Type.Unknown()))

export const Finding = Resource('DriftFinding', {
  id: Id,
  kind: KindSchema,
  serverId: Nullable(Type.Integer()),
  serverName: Nullable(Type.String()),
  externalId: Nullable(Type.String()),
  serviceId: Nullable(Id),
  expected: Facts,
  found: Facts,
  foundAt: Timestamp,
  repairWantedAt: Nullable(Timestamp),
  repairedAt: Nullable(Timestamp),
  repairError: Nullable(Failure),
})
export type Finding = Static<typeof Finding>

export const Report = Resource('DriftReport', {
  id: Id,
  startedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  /** How many servers of the panel were compared so far. */
  servers: Type.Integer(),
  /** What is not repaired yet. */
  counts: Type.Object({
    orphan: Type.Integer(),
    unknown: Type.Integer(),
    missing: Type.Integer(),
    limits: Type.Integer(),
    suspension: Type.Integer(),
    owner: Type.Integer(),
    unattached: Type.Integer(),
    imported: Type.Integer(),
  }),
  lastError: Nullable(Failure),
})
export type Report = Static<typeof Report>

export const Drift = Resource('Drift', {
  report: Nullable(Report),
  data: Type.Array(Finding),
  nextCursor: Nullable(Type.String()),
})

export const DriftFilters = Type.Object({
  ...PageQuery.properties,
  kind: Type.Optional(KindSchema),
})

export const RepairOrder = Body({
  kind: RepairKind,
  findingIds: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 1000,
      uniqueItems: true,
      description:
        'Which of them; without, all of the kind. A server without any service is only deleted when it is named here',
    }),
  ),
})
export type RepairOrder = Static<typeof RepairOrder>

export const RepairQueued = Resource('RepairQueued', { queued: Type.Integer() })

export const Adoption = Body({
  serverId: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  userId: Id,
  planId: Id,
  name: Type.Optional(Line(191)),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  currentPeriodEnd: Type.Optional(
    Type.Unsafe<Static<typeof Timestamp>>({
      ...Timestamp,
      description: 'Until when it is paid for, for a plan that renews',
    }),
  ),
})
export type Adoption = Static<typeof Adoption>
