import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

/** Sends the waiting deliveries of a tenant. */
export const deliver = work('webhooks.deliver', Type.Object({ tenantId: Id }))
