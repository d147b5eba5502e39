import type { Instant } from '#lib/time.ts'
import type { SettingsSection } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { sealSetting } from '../settings.ts'
import { lockSettings, updateSettings } from './queries.ts'
import { valuesWith } from './rules.ts'
import type { SettingsChange } from './schema.ts'

/**
 * Writes a change over a tenant's settings; what it does not name stays. Two at once wait for each
 * other, section by section in one order. The change has been checked against the schema.
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
