import { type Static, Type } from 'typebox'
import { Body, Id, Nullable, OneOf, PageQuery, Resource, Timestamp } from '#lib/schema.ts'
import { CATALOGUE, PING } from '../catalogue/catalogue.ts'

const STATUSES = ['pending', 'held', 'delivered', 'failed'] as const

const Status = OneOf(
  STATUSES,
  'held: the endpoint was off when it happened; failed: all attempts failed. Both can be replayed',
)

export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Status),
  type: Type.Optional(OneOf([...CATALOGUE.map(({ type }) => type), PING.type])),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const Delivery = Resource('WebhookDelivery', {
  id: Id,
  endpointId: Id,
  messageId: { ...Id, description: 'The webhook-id its receiver sees, the same at every try' },
  type: Type.String(),
  status: Status,
  attempts: Type.Integer(),
  nextAttemptAt: Nullable(Timestamp),
  statusCode: Nullable(Type.Integer()),
  error: Nullable(
    Type.String({
      description:
        'status, redirect, timeout, dns, connect, tls, reset, refused_address or secret_lost',
    }),
  ),
  createdAt: Timestamp,
  deliveredAt: Nullable(Timestamp),
})
export type Delivery = Static<typeof Delivery>

/** The result of an attempt. */
const Brought = {
  statusCode: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  durationMs: Type.Integer(),
  responseBody: Nullable(
    Type.String({ description: 'The first 4 KiB of the answer; null from a private address' }),
  ),
}

export const DeliveryDetail = Resource('WebhookDeliveryDetail', {
  ...Delivery.properties,
  requestBody: Type.String(),
  log: Type.Array(Type.Object({ id: Id, startedAt: Timestamp, ...Brought }), {
    description: 'The last 50 tries, newest first',
  }),
})

export const TestResult = Resource('WebhookTest', {
  ok: Type.Boolean(),
  deliveryId: Id,
  ...Brought,
})

export const BulkReplay = Body({
  status: Type.Optional(OneOf(['failed', 'held'], 'Both, where it is left out')),
  since: Type.Optional(Timestamp),
})
export type BulkReplay = Static<typeof BulkReplay>

export const Replayed = Resource('WebhookReplay', {
  replayed: Type.Integer({ description: 'At most 10 000 at once: call again while it is that' }),
})
