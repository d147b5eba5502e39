import type { Leaving } from './area.ts'
import type { Tx } from './database/index.ts'
import { forgetJobsNaming } from './jobs.ts'

/**
 * Removes what the platform itself keeps about a person whose account ends: the answers to repeated
 * requests, and the jobs that name one of their addresses. Jobs that name the person's id alone stay,
 * for they belong to what is kept.
 */
export async function erasePlatformTraces(tx: Tx, person: Leaving): Promise<void> {
  const { tenantId, userId, emails } = person
  await tx
    .deleteFrom('platform.idempotency_keys')
    .where('tenantId', '=', tenantId)
    .where('callerId', '=', userId)
    .execute()
  for (const email of emails) await forgetJobsNaming(tx, { tenantId, email })
}
