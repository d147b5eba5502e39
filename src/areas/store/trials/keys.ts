import type { Tx } from '#platform/database/index.ts'
import { sealedColumn } from '#platform/resealing.ts'
import { randomToken, type Secrets } from '#platform/secrets.ts'
import { findTrialKey, insertTrialKey } from './queries.ts'

/** The key of a tenant's trial marks, created when it is first needed. */
export async function trialKeyOf(tx: Tx, secrets: Secrets, tenantId: string): Promise<Buffer> {
  const known = await findTrialKey(tx, tenantId)
  if (known) return openKey(secrets, tenantId, known)
  const sealedKey = secrets.seal(randomToken(), boundTo({ tenantId }))
  await insertTrialKey(tx, { tenantId, sealedKey })
  // Another transaction may have been first: then its key is used.
  const kept = await findTrialKey(tx, tenantId)
  return openKey(secrets, tenantId, kept ?? sealedKey)
}

export const sealedTrialKeys = sealedColumn('store.trial_keys', 'sealedKey', ['tenantId'], boundTo)

function openKey(secrets: Secrets, tenantId: string, sealedKey: string): Buffer {
  return Buffer.from(secrets.open(sealedKey, boundTo({ tenantId })))
}

function boundTo({ tenantId }: { tenantId: string }): string {
  return `store.trial_keys ${tenantId}`
}
