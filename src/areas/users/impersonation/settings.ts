import { Type } from 'typebox'
import { settings } from '#tenants'

/** Whether a person is told that an administrator acts as them. */
export const impersonationSettings = settings(
  'impersonation',
  Type.Object({
    tellPerson: Type.Boolean({
      default: true,
      description: 'Whether the person is notified in the panel and by mail',
    }),
  }),
)
