import type { Db, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { ClientRow } from './rules.ts'

export type ClientKey = Pick<ClientRow, 'tenantId' | 'id'>

export function findClient(db: Db, { tenantId, id }: ClientKey) {
  return db
    .selectFrom('oidc.clients')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockClient(tx: Tx, { tenantId, id }: ClientKey) {
  return tx
    .selectFrom('oidc.clients')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function listClients(db: Db, tenantId: string, page: PageQuery) {
  return pageOf(db.selectFrom('oidc.clients').selectAll().where('tenantId', '=', tenantId), page)
}

export function insertClient(
  tx: Tx,
  client: Omit<ClientRow, 'previousSecretHash' | 'previousSecretEndsAt'>,
) {
  return tx.insertInto('oidc.clients').values(client).returningAll().executeTakeFirstOrThrow()
}

export function updateClient(tx: Tx, { tenantId, id }: ClientKey, change: Partial<ClientRow>) {
  return tx
    .updateTable('oidc.clients')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function deleteClient(tx: Tx, { tenantId, id }: ClientKey) {
  return tx
    .deleteFrom('oidc.clients')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}
