import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

const Row = Type.Object({ tenantId: Id, id: Id })

/** Notifies everybody an announcement is addressed to. */
export const tellEverybody = work('notifications.tell-everybody', Row)

/** Hands a mail over to the mail server. */
export const sendMail = work('notifications.send-mail', Row)
