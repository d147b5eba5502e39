import { type Static, Type } from 'typebox'
import { Body, Line, Nullable, Resource, Timestamp } from '#lib/schema.ts'

const MAX_URL = 2000
const ConfirmHours = Type.Integer({ minimum: 1, maximum: 8760 })

/** The system that delivers the services of a product. */
export const NewTarget = Body({
  url: Line(MAX_URL),
  includeCustomer: Type.Optional(Type.Boolean()),
  confirmHours: Type.Optional(ConfirmHours),
})
export type NewTarget = Static<typeof NewTarget>

export const Target = Resource('DeliveryTarget', {
  url: Type.String(),
  includeCustomer: Type.Boolean({ description: 'It is sent the name and e-mail of customers' }),
  confirmHours: Type.Integer({ description: 'Staff are notified of what it confirms later' }),
})

export const TargetStatus = Resource('DeliveryTargetStatus', {
  secretEnd: Nullable(Type.String({ description: 'Null before it has a secret' })),
  testedAt: Nullable({
    ...Timestamp,
    description: 'When it accepted a test since its URL or secret changed',
  }),
})

export const Credentials = Resource('DeliveryCredentials', {
  secret: Type.String({ description: 'Signs what is sent' }),
  token: Type.String({ description: 'The bearer token of call-backs' }),
})

export const TestOutcome = Resource('DeliveryTest', {
  ok: Type.Boolean(),
  statusCode: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  durationMs: Type.Integer(),
})
