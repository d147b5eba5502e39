import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { Completion, TASK_ACTIONS } from '../tasks/schema.ts'

const DELIVERY_STATES = ['waiting', 'sent', 'accepted', 'done', 'failed', 'canceled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export const FAILURE_CODES = ['refused', 'not_done', 'unanswered'] as const

export const Delivery = Resource('ServiceDelivery', {
  id: Id,
  action: OneOf(TASK_ACTIONS),
  state: OneOf(DELIVERY_STATES, '`accepted`: the system will call back'),
  createdAt: Timestamp,
  confirmBy: Timestamp,
  nextAt: Nullable(Timestamp),
  sentAt: Nullable(Timestamp),
  acceptedAt: Nullable(Timestamp),
  doneAt: Nullable(Timestamp),
  failedAt: Nullable(Timestamp),
  failureCode: Nullable(OneOf(FAILURE_CODES)),
  failure: Nullable(Type.String()),
  canceledAt: Nullable(Timestamp),
  reference: Nullable(Type.String()),
  attempts: Type.Array(
    Resource('ServiceDeliveryAttempt', {
      ...{ id: Id, startedAt: Timestamp, statusCode: Nullable(Type.Integer()) },
      error: Nullable(Type.String()),
      durationMs: Type.Integer(),
    }),
    { description: 'The last 20, newest first' },
  ),
})

const Reference = Line(200)
const { details } = Completion.properties

/** The answer of a system that has done what was requested. */
export const Done = Body({
  outcome: Type.Literal('done'),
  reference: Type.Optional(Reference),
  details,
})
export type Done = Static<typeof Done>

/** Why a system refuses a request. */
export const Refusal = Type.Object({ reason: Line(500) })

/** The result that a system calls back with. */
export const Result = Body({
  outcome: OneOf(['done', 'failed']),
  reference: Type.Optional(Reference),
  details,
  reason: Type.Optional(Line(500)),
})
export type Result = Static<typeof Result>

export const ResultAnswer = Resource('DeliveryResult', {
  id: Id,
  state: OneOf(DELIVERY_STATES),
})
