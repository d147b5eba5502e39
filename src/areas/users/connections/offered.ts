import type { Db } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { connectionSettings } from '../settings.ts'

/** The application a shop has at Discord, with its secret sealed; null for fields that are not entered. */
export async function enteredApplication(db: Db, tenantId: string) {
  const values = await settingsOf(db, tenantId, connectionSettings)
  return { clientId: values.discordClientId, sealed: values.discordClientSecret }
}

/** The providers whose accounts people can link in a shop. */
export async function offeredConnections(db: Db, tenantId: string): Promise<string[]> {
  const { clientId, sealed } = await enteredApplication(db, tenantId)
  return clientId && sealed ? ['discord'] : []
}
