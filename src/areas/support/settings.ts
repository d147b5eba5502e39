import { Type } from 'typebox'
import { OneOf } from '#lib/schema.ts'
import { settings } from '#tenants'
import { MOST_ATTACHMENTS } from './attachments/schema.ts'

const MEGABYTE = 2 ** 20

/** Programs and scripts that start when they are opened. */
const BLOCKED_EXTENSIONS = [
  ...['bat', 'cmd', 'com', 'exe', 'hta', 'iso', 'jar', 'js', 'lnk', 'msi', 'ps1', 'scr', 'vbs'],
]

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
    maxAttachments: Type.Integer({
      minimum: 1,
      maximum: MOST_ATTACHMENTS,
      default: 5,
      description: 'Maximum number of files attached to a message',
    }),
    maxAttachmentBytes: Type.Integer({
      minimum: 1024,
      maximum: 100 * MEGABYTE,
      default: 10 * MEGABYTE,
      description: 'Maximum size of an attached file, in bytes',
    }),
    maxMessageAttachmentBytes: Type.Integer({
      minimum: 1024,
      maximum: 1000 * MEGABYTE,
      default: 25 * MEGABYTE,
      description: 'Maximum size of all files attached to a message, in bytes',
    }),
    maxDailyAttachmentBytes: Type.Integer({
      minimum: 1024,
      maximum: 10_000 * MEGABYTE,
      default: 200 * MEGABYTE,
      description:
        'Maximum size of all files that a person uploads in 24 hours, in bytes; with an address that was never confirmed, two files of the maximum size',
    }),
    blockedExtensions: Type.Array(Type.String({ pattern: '^[a-z0-9]{1,16}$' }), {
      maxItems: 100,
      uniqueItems: true,
      default: BLOCKED_EXTENSIONS,
      description:
        'File name endings, without the dot, of attached files that cannot be downloaded; their names are shown',
    }),
    keepAttachmentMonths: Type.Integer({
      minimum: 1,
      maximum: 120,
      default: 36,
      description: 'Months after which the files of a closed ticket are deleted',
    }),
  }),
)
