import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

/** Credits an affiliate for purchases that a customer made before the referral was stored. */
export const catchUp = work('affiliation.catch-up', Type.Object({ tenantId: Id, userId: Id }))
