import type { Db } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { connectionSettings } from '../settings.ts'

/** The application a shop has at Discord, its secret sealed; null where a part is not entered. */
export async function enteredApplication(db: Db, tenantId: string) {
  const values = await settingsOf(db, tenantId, connectionSettings)
  return { clientId: values.discordClientId, sealed: values.discordClientSecret }
}

/** Accounts elsewhere that people can link in a shop. */
export async function offeredConnections(db: Db, tenantId: string): Promise<string[]> {
  const { clientId, sealed } = await enteredApplication(db, tenantId)
  return clientId && sealed ? ['discord'] : []
}
