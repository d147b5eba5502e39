import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

/** Notifies the customers whom an incident affects of one of its updates. */
export const notifyAffected = work(
  'incidents.notify-affected',
  Type.Object({ tenantId: Id, updateId: Id }),
)
