import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type MailServerRow = Row<'notifications.mail_servers'>

/** The mail server of a tenant, if it has its own. */
export function findMailServer(db: Db, tenantId: string): Promise<MailServerRow | undefined> {
  return db
    .selectFrom('notifications.mail_servers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
}

export function lockMailServer(tx: Tx, tenantId: string): Promise<MailServerRow | undefined> {
  return tx
    .selectFrom('notifications.mail_servers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .forUpdate()
    .executeTakeFirst()
}

/** Stores the mail server of a tenant, and replaces an existing one. */
export function putMailServer(tx: Tx, row: MailServerRow): Promise<MailServerRow> {
  return tx
    .insertInto('notifications.mail_servers')
    .values(row)
    .onConflict((it) => it.column('tenantId').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteMailServer(tx: Tx, tenantId: string): Promise<void> {
  await tx.deleteFrom('notifications.mail_servers').where('tenantId', '=', tenantId).execute()
}

type Check = { checkedAt: Instant; fault: string | null; failingSince: Instant | null }

export async function updateCheck(tx: Tx, tenantId: string, check: Check): Promise<void> {
  await tx
    .updateTable('notifications.mail_servers')
    .set(check)
    .where('tenantId', '=', tenantId)
    .execute()
}
