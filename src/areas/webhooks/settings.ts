import { Type } from 'typebox'
import { settings } from '#tenants'

/** How long the log of what was sent to other systems is kept. */
export const webhookSettings = settings(
  'webhooks',
  Type.Object({
    retentionDays: Type.Integer({
      minimum: 7,
      maximum: 365,
      default: 30,
      description: 'Days for which messages and their deliveries are kept',
    }),
  }),
)
