import type { Instant } from '#lib/time.ts'
import { type Db, json, type Tx } from '#platform/database/index.ts'

export function listSettings(db: Db, tenantId: string) {
  return db
    .selectFrom('tenants.settings')
    .select(['section', 'values', 'updatedAt'])
    .where('tenantId', '=', tenantId)
    .execute()
}

type SectionKey = { tenantId: string; section: string }

/** Locks a section, and creates its row if nothing was set yet; returns what was set. */
export async function lockSettings(
  tx: Tx,
  { tenantId, section }: SectionKey,
  now: Instant,
): Promise<Record<string, unknown>> {
  await tx
    .insertInto('tenants.settings')
    .values({ tenantId, section, values: json({}), updatedAt: now })
    .onConflict((it) => it.columns(['tenantId', 'section']).doNothing())
    .execute()
  const { values } = await tx
    .selectFrom('tenants.settings')
    .select('values')
    .where('tenantId', '=', tenantId)
    .where('section', '=', section)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return values
}

export async function updateSettings(
  tx: Tx,
  { tenantId, section }: SectionKey,
  { values, updatedAt }: { values: object; updatedAt: Instant },
): Promise<void> {
  await tx
    .updateTable('tenants.settings')
    .set({ values: json(values), updatedAt })
    .where('tenantId', '=', tenantId)
    .where('section', '=', section)
    .execute()
}
