import { json, transact } from '#platform/database/index.ts'
import type { TestApp } from './app.ts'

/** Sets a tenant's settings of a section, as they are kept. */
export async function keepSettings(
  { deps, tenantId: ownId }: TestApp,
  section: string,
  values: object,
  tenantId = ownId,
): Promise<void> {
  const updatedAt = deps.clock.now()
  await transact(deps.database.of(tenantId), (tx) =>
    tx
      .insertInto('tenants.settings')
      .values({ tenantId, section, values: json(values), updatedAt })
      .onConflict((it) =>
        it.columns(['tenantId', 'section']).doUpdateSet({ values: json(values), updatedAt }),
      )
      .execute(),
  )
}
