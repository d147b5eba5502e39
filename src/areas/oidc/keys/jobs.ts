import { HOUR_MS } from '#lib/time.ts'
import { schedule } from '#platform/jobs.ts'
import { rotateKeys } from './actions.ts'
import { listTenantsWithKeys } from './queries.ts'

/** Replaces signing keys that have signed long enough, tenant by tenant. */
export const rotateSigningKeys = schedule(
  'oidc.rotate-signing-keys',
  6 * HOUR_MS,
  async ({ db, database, secrets, now }) => {
    for (const tenantId of await listTenantsWithKeys(db)) {
      await rotateKeys({ secrets, db: database.of(tenantId), tenantId }, now)
    }
  },
)
