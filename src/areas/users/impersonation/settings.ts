import { Type } from 'typebox'
import { settings } from '#tenants'

/** What becomes known of an administrator who acts as somebody. */
export const impersonationSettings = settings(
  'impersonation',
  Type.Object({
    tellPerson: Type.Boolean({
      default: true,
      description: 'Whether the person is notified in the panel and by mail',
    }),
  }),
)
