import { isId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { findClient } from './queries.ts'
import { isSecretOf } from './rules.ts'

type Presented = { tenantId: string; clientId: string; secret: string; now: Instant }

/**
 * Whether a client presented its secret: the current one, or the one before while the overlap of
 * its rotation runs. False for unknown and for public clients, and compared in constant time.
 */
export async function verifyClientSecret(
  db: Db,
  { tenantId, clientId, secret, now }: Presented,
): Promise<boolean> {
  // What is no id cannot be asked of the database; it comes from the outside as it is.
  const client = isId(clientId) ? await findClient(db, { tenantId, id: clientId }) : undefined
  return isSecretOf(client, secret, now)
}
