import type { Leaving } from './area.ts'
import type { Tx } from './database/index.ts'
import { forgetJobsNaming } from './jobs.ts'

/**
 * Removes what the platform itself stores about a person whose account ends: stored responses to
 * repeated requests, and jobs that contain one of their addresses. Jobs with only the person's id
 * stay, because they belong to data that is kept.
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
