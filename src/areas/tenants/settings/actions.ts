import type { Instant } from '#lib/time.ts'
import type { SettingsSection } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { sealSetting } from '../settings.ts'
import { lockSettings, updateSettings } from './queries.ts'
import { valuesWith } from './rules.ts'
import type { SettingsChange } from './schema.ts'

/**
 * Changes a tenant's settings; those that the change does not name stay. Concurrent changes wait for each
 * other, locking the sections in a fixed order. The change was validated against the schema.
 */
export async function changeSettings(
  tx: Tx,
  { secrets, sections }: { secrets: Secrets; sections: readonly SettingsSection[] },
  { tenantId, change }: { tenantId: string; change: SettingsChange },
  now: Instant,
): Promise<void> {
  for (const section of sections.toSorted((a, b) => a.name.localeCompare(b.name))) {
    const wanted = change[section.name]
    if (!wanted || Object.keys(wanted).length === 0) continue
    const key = { tenantId, section: section.name }
    const values = await lockSettings(tx, key, now)
    const next = valuesWith(section, values, wanted, (field, plain) =>
      sealSetting(secrets, { ...key, field }, plain),
    )
    await updateSettings(tx, key, { values: next, updatedAt: now })
  }
}
