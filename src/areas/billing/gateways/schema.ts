import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { PAYMENT_ICONS } from './contract.ts'

const Settings = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  description: 'The settings of the driver; see `GET /v1/admin/gateway-drivers`',
})
const Secrets = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 2000 }), {
  description: 'Written, and never shown again',
})
const Position = Type.Integer({ minimum: 0, maximum: 100_000 })
const Mode = OneOf(['test', 'live'])

export const NewGateway = Body({
  driver: Type.String({ pattern: '^[a-z_]{1,50}$' }),
  name: Line(),
  mode: Mode,
  enabled: Type.Optional(Type.Boolean({ default: false })),
  position: Type.Optional(Position),
  settings: Type.Optional(Settings),
  secrets: Type.Optional(Secrets),
})
export type NewGateway = Static<typeof NewGateway>

/** Secrets that are not named stay; one with an empty text is removed. */
export const GatewayChanges = Body({
  name: Type.Optional(Line()),
  enabled: Type.Optional(Type.Boolean()),
  position: Type.Optional(Position),
  settings: Type.Optional(Settings),
  secrets: Type.Optional(Secrets),
})
export type GatewayChanges = Static<typeof GatewayChanges>

export const Capabilities = Resource('GatewayCapabilities', {
  checkout: OneOf(['redirect', 'instructions']),
  icon: OneOf([...PAYMENT_ICONS], 'What people mostly pay with there'),
  saveMethod: OneOf(['setup', 'with-first-payment', 'none']),
  chargeSaved: Type.Boolean(),
  refund: OneOf(['full-and-partial', 'manual']),
  portal: Type.Boolean(),
  disputes: Type.Boolean(),
  webhook: OneOf(['signed', 'ping-then-fetch', 'none']),
  listChanges: Type.Boolean(),
  listPayments: Type.Boolean(),
  currencies: Nullable(Type.Array(Type.String(), { description: 'Null: any' })),
})

export const GatewaySchema = Resource('Gateway', {
  id: Id,
  driver: Type.String(),
  name: Type.String(),
  mode: Mode,
  enabled: Type.Boolean(),
  position: Type.Integer(),
  settings: Type.Record(Type.String(), Type.Unknown()),
  secrets: Type.Record(Type.String(), Type.String(), { description: 'Masked' }),
  capabilities: Nullable(Capabilities),
  webhookUrl: Type.String(),
  webhookRegistered: Type.Boolean(),
  status: OneOf(['unknown', 'ok', 'unhealthy']),
  message: Nullable(Type.String()),
  checkedAt: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type GatewayView = Static<typeof GatewaySchema>

export const GatewayTest = Resource('GatewayTest', {
  ok: Type.Boolean(),
  code: Nullable(
    Type.String({ description: 'The kind of fault, such as `credentials` or `unavailable`' }),
  ),
  accountId: Nullable(Type.String()),
  country: Nullable(Type.String()),
  message: Nullable(Type.String()),
})
