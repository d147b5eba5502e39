import { Type } from 'typebox'
import { settings } from '#tenants'

/** How a shop signs people in for other applications. */
export const oidcSettings = settings(
  'oidc',
  Type.Object({
    keyRotationDays: Type.Integer({
      minimum: 7,
      maximum: 365,
      default: 90,
      description: 'Days after which a new signing key is used; it is published a day ahead',
    }),
  }),
)
