import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type ConnectionRow = Row<'users.connections'>
type StartRow = Row<'users.connection_starts'>

export type ProviderKey = UserKey & Pick<ConnectionRow, 'provider'>

const SHOWN = ['id', 'provider', 'accountId', 'name', 'createdAt'] as const

/** A person's linked accounts: one of each provider at most. */
export function listConnections(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.connections')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

/** Undefined if the account at the provider is linked already, or the person has one of this provider. */
export function insertConnection(tx: Tx, row: ConnectionRow) {
  return tx
    .insertInto('users.connections')
    .values(row)
    .onConflict((it) => it.doNothing())
    .returning('id')
    .executeTakeFirst()
}

export function deleteConnection(tx: Tx, { tenantId, userId, provider }: ProviderKey) {
  return tx
    .deleteFrom('users.connections')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .returning(['id', 'name'])
    .executeTakeFirst()
}

export async function deleteConnections(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.connections')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

export async function insertStart(tx: Tx, row: StartRow): Promise<void> {
  await tx.insertInto('users.connection_starts').values(row).execute()
}

/** Deletes a start and returns it: it is used up, whatever the outcome. */
export function useUpStart(tx: Tx, { tenantId, id }: Pick<StartRow, 'tenantId' | 'id'>) {
  return tx
    .deleteFrom('users.connection_starts')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteStarts(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.connection_starts')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
