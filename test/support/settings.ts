import { json, transact } from '#platform/database/index.ts'
import type { TestApp } from './app.ts'

/** Sets a section of the default tenant's settings; what is left out has its default again. */
export async function setSettings(
  { deps, tenantId }: TestApp,
  section: string,
  values: Record<string, unknown>,
): Promise<void> {
  const row = { values: json(values), updatedAt: deps.clock.now() }
  await transact(deps.database.of(tenantId), (tx) =>
    tx
      .insertInto('tenants.settings')
      .values({ tenantId, section, ...row })
      .onConflict((it) => it.columns(['tenantId', 'section']).doUpdateSet(row))
      .execute(),
  )
}
