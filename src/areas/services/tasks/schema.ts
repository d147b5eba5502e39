import { type Static, Type } from 'typebox'
import { Body, Id, Line, ListQuery, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

export const TASK_ACTIONS = ['create', 'change', 'suspend', 'resume', 'end'] as const
export type TaskAction = (typeof TASK_ACTIONS)[number]

const TASK_STATES = ['open', 'claimed', 'done', 'failed', 'canceled'] as const
export type TaskState = (typeof TASK_STATES)[number]

const Action = OneOf(TASK_ACTIONS)
const State = OneOf(TASK_STATES)

/** A handover detail for a customer; a secret one is shown to its customer only. */
export const HandoverDetail = Resource('HandoverDetail', {
  label: Type.String(),
  value: Nullable(Type.String({ description: 'Null for a secret, but for its owner' })),
  secret: Type.Boolean(),
})

const OtherProduct = Resource('TaskChange', {
  productId: Id,
  productName: Type.String(),
  planName: Type.String(),
})

export const Task = Resource('Task', {
  id: Id,
  action: Action,
  state: State,
  overdue: Type.Boolean(),
  serviceId: Id,
  serviceName: Type.String(),
  productId: Id,
  productName: Type.String(),
  planName: Type.String(),
  userId: Id,
  customerName: Type.String(),
  customerEmail: Type.String(),
  instructions: Nullable(Type.String()),
  change: Nullable(OtherProduct),
  details: Type.Array(HandoverDetail),
  createdAt: Timestamp,
  dueAt: Timestamp,
  claimedAt: Nullable(Timestamp),
  claimedBy: Nullable(Id),
  claimedByName: Nullable(Type.String()),
  doneAt: Nullable(Timestamp),
  failedAt: Nullable(Timestamp),
  failure: Nullable(Type.String()),
  canceledAt: Nullable(Timestamp),
})
export type Task = Static<typeof Task>

export const TaskQuery = Type.Object({
  ...ListQuery.properties,
  state: Type.Optional(
    OneOf(
      [...TASK_STATES, 'pending', 'overdue'],
      '`pending`: open or claimed; `overdue`: and late',
    ),
  ),
  action: Type.Optional(Action),
  serviceId: Type.Optional(Id),
})
export type TaskQuery = Static<typeof TaskQuery>

export const Claim = Body({
  takeOver: Type.Optional(
    Type.Boolean({ description: 'Take the task over from the member of staff who claimed it' }),
  ),
})

const MOST_DETAILS = 20

export const Completion = Body({
  details: Type.Optional(
    Type.Array(
      Body({
        label: Line(100),
        value: Type.String({ minLength: 1, maxLength: 2000 }),
        secret: Type.Optional(
          Type.Boolean({ description: 'Stored encrypted, and shown to the customer only' }),
        ),
      }),
      {
        maxItems: MOST_DETAILS,
        description:
          'The details for the customer, which replace the earlier ones; omitted: they stay',
      },
    ),
  ),
})
export type Completion = Static<typeof Completion>
export type NewDetail = NonNullable<Completion['details']>[number]

export const Failure = Body({ reason: Line(500) })

/** The handover details of the customer of a service, secrets included. */
export const Handover = Resource('Handover', { details: Type.Array(HandoverDetail) })
