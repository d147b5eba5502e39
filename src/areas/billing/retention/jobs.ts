import { sql } from 'kysely'
import { DAY_MS, type Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { schedule } from '#platform/jobs.ts'
import { settingsOf } from '#tenants'
import { billingSettings } from '../settings.ts'
import { keptFrom } from './rules.ts'

const BATCH = 500

/**
 * Takes the buyer out of documents of deleted people when the law no longer wants them kept (R8.3).
 * Looks every day; there is something to do after a year has ended.
 */
export const anonymizeDocuments = schedule(
  'billing.anonymize-documents',
  DAY_MS,
  async ({ db, now, transact }) => {
    for (const tenantId of await listTenantsLeft(db)) {
      const { documentYears } = await settingsOf(db, tenantId, billingSettings)
      const wanted = { tenantId, before: keptFrom(now, documentYears) }
      let count = BATCH
      while (count >= BATCH) count = await transact((tx) => anonymize(tx, wanted, now))
    }
  },
  { retries: 1 },
)

/** The tenants that somebody has left. */
async function listTenantsLeft(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users.users')
    .select('tenantId')
    .distinct()
    .where('deletedAt', 'is not', null)
    .execute()
  return rows.map(({ tenantId }) => tenantId)
}

async function anonymize(
  tx: Tx,
  { tenantId, before }: { tenantId: string; before: Instant },
  now: Instant,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select billing.anonymize_documents(${tenantId}::uuid, ${before}::timestamptz,
      ${BATCH}::integer, ${now}::timestamptz) as count`.execute(tx)
  return rows[0]?.count ?? 0
}
