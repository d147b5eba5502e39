import { Type } from 'typebox'
import { Id, Timestamp } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

const Row = Type.Object({ tenantId: Id, id: Id })

/** Notifies everybody an announcement is addressed to. */
export const tellEverybody = work('notifications.tell-everybody', Row)

/** Hands a mail over to the mail server. */
export const sendMail = work('notifications.send-mail', Row)

/** Tells staff that a mail was sent with the standard text: a placeholder of the shop's text had no value. */
export const reportTemplate = work(
  'notifications.report-template',
  Type.Object({
    ...{ tenantId: Id, kind: Type.String(), locale: Type.String() },
    updatedAt: Timestamp,
    placeholder: Type.String(),
  }),
)
