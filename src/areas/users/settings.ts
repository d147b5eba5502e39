import { Type } from 'typebox'
import { Nullable } from '#lib/schema.ts'
import { SecretSetting, settings } from '#tenants'

/** How well a shop guards its administration. */
export const securitySettings = settings(
  'security',
  Type.Object({
    staffSecondFactor: Type.Boolean({
      default: false,
      description:
        'Administrators need a second factor: without one every route of the administration is a 403',
    }),
  }),
)

/** The applications that a shop has at other services, for linking accounts there. */
export const connectionSettings = settings(
  'connections',
  Type.Object({
    discordClientId: {
      ...Nullable(Type.String({ pattern: '^[0-9]{5,30}$' })),
      default: null,
      description: 'The application at Discord; null: accounts there cannot be linked',
    },
    discordClientSecret: SecretSetting('What the application at Discord shows of itself'),
  }),
)
