import { Type } from 'typebox'
import { settings } from '#tenants'

/** How long a shop keeps the mails it sent or could not send. */
export const mailSettings = settings(
  'mail',
  Type.Object({
    keepMailDays: Type.Integer({
      ...{ minimum: 30, maximum: 3650, default: 365 },
      description: 'Number of days after which mails are deleted',
    }),
  }),
)
