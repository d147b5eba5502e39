import { isId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { findClient } from './queries.ts'
import { isSecretOf } from './rules.ts'

type Presented = { tenantId: string; clientId: string; secret: string; now: Instant }

/**
 * Whether a client presented its secret: the current one, or the previous one during the overlap of
 * a rotation. False for unknown and for public clients. Compares in constant time.
 */
export async function verifyClientSecret(
  db: Db,
  { tenantId, clientId, secret, now }: Presented,
): Promise<boolean> {
  // A text from outside may not be an id, and the database accepts only ids.
  const client = isId(clientId) ? await findClient(db, { tenantId, id: clientId }) : undefined
  return isSecretOf(client, secret, now)
}
