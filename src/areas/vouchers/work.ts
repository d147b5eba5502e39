import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

/** Creates the vouchers of a batch and their codes. */
export const makeCodes = work('vouchers.make-codes', Type.Object({ tenantId: Id, batchId: Id }))
