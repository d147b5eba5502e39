import { Type } from 'typebox'
import { Body, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

export const MethodSchema = Resource('PaymentMethod', {
  id: Id,
  gatewayId: Id,
  kind: OneOf(['card', 'sepa_debit', 'paypal', 'bank_transfer', 'other']),
  brand: Nullable(Type.String()),
  last4: Nullable(Type.String()),
  expMonth: Nullable(Type.Integer()),
  expYear: Nullable(Type.Integer()),
  label: Nullable(Type.String()),
  default: Type.Boolean(),
  createdAt: Timestamp,
})

export const MethodChanges = Body({
  default: Type.Optional(Type.Literal(true, { description: 'Renewals are charged to it' })),
})

export const SetupRequest = Body({
  gatewayId: Type.Optional(Id),
  mode: Type.Optional(OneOf(['redirect', 'embedded'], 'redirect by default')),
  returnUrl: Type.Optional(
    Type.String({
      ...{ format: 'uri', maxLength: 2000 },
      description: 'An address of the shop; by default the page of the saved payment methods',
    }),
  ),
})

export const SetupSchema = Resource('SetupIntent', {
  id: Id,
  gatewayId: Id,
  url: Nullable(Type.String()),
  clientSecret: Nullable(Type.String()),
  publishableKey: Nullable(Type.String()),
})

export const PortalSchema = Resource('PortalSession', {
  url: Type.String({
    description: 'A bearer link: anyone who opens it acts as the customer there',
  }),
})
