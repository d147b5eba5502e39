import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

/** Notifies the customers whom an incident affects of one of its updates. */
export const tellAffected = work(
  'incidents.tell-affected',
  Type.Object({ tenantId: Id, updateId: Id }),
)
