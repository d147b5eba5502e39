import { Type } from 'typebox'
import { OneOf } from '#lib/schema.ts'
import { settings } from '#tenants'

/** How a shop helps its customers. */
export const supportSettings = settings(
  'support',
  Type.Object({
    enabled: Type.Boolean({
      default: true,
      description: 'Whether customers can open tickets; open tickets can always be continued',
    }),
    reopenDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 14,
      description:
        'Days after closing in which a message of the customer reopens a ticket; later it opens a new one',
    }),
    autoCloseDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      default: 7,
      description:
        'Days without a message after which an answered ticket is closed; 0: it stays as it is',
    }),
    autoCloseNoticeDays: Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 2,
      description:
        'Days before an answered ticket is closed on which its customer is reminded; 0: no reminder',
    }),
    showStaffNames: Type.Unsafe<'first_name' | 'team'>({
      ...OneOf(
        ['first_name', 'team'],
        'What customers see as the author of an answer: the first name, or the department',
      ),
      default: 'first_name',
    }),
  }),
)
