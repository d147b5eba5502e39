import type { SettingsSection } from '#platform/area.ts'
import { type Db, transact } from '#platform/database/index.ts'
import type { Resealed } from '#platform/resealing.ts'
import type { Secrets } from '#platform/secrets.ts'
import { openSetting, sealSetting } from '../settings.ts'
import { listSettings, lockSettings, updateSettings } from './queries.ts'
import { isSecret } from './rules.ts'

/** Seals the secret settings of a tenant with the current key. One transaction for each section. */
export async function resealSettings(
  db: Db,
  secrets: Secrets,
  tenantId: string,
  sections: readonly SettingsSection[],
): Promise<Resealed> {
  const result: Resealed = { sealed: 0, unreadable: [] }
  for (const { section, updatedAt } of await listSettings(db, tenantId)) {
    const schema = sections.find(({ name }) => name === section)?.schema
    if (!schema) continue
    await transact(db, async (tx) => {
      const values = await lockSettings(tx, { tenantId, section }, updatedAt)
      let count = 0
      for (const [field, sealed] of Object.entries(values)) {
        if (!isSecret(schema, field) || typeof sealed !== 'string') continue
        if (sealed.startsWith(`${secrets.keyId}.`)) continue
        const key = { tenantId, section, field }
        try {
          values[field] = sealSetting(secrets, key, openSetting(secrets, key, sealed) ?? '')
          count += 1
        } catch {
          result.unreadable.push(`tenants.settings ${tenantId} ${section}.${field}`)
        }
      }
      if (count > 0) await updateSettings(tx, { tenantId, section }, { values, updatedAt })
      result.sealed += count
    })
  }
  return result
}
