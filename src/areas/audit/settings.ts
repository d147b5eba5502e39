import { Type } from 'typebox'
import { settings } from '#tenants'

/** How long the log is kept. */
export const auditSettings = settings(
  'audit',
  Type.Object({
    retentionMonths: Type.Integer({
      minimum: 12,
      maximum: 240,
      default: 60,
      description: 'Older entries are deleted',
    }),
  }),
)
