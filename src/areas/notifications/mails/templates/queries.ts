import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type TemplateRow = Row<'notifications.mail_templates'>
export type TemplateKey = Pick<TemplateRow, 'tenantId' | 'kind' | 'locale'>

/** All texts that a tenant wrote; of these kinds only, if any are named. */
export function listTemplates(
  db: Db,
  tenantId: string,
  kinds?: readonly string[],
): Promise<TemplateRow[]> {
  let query = db.selectFrom('notifications.mail_templates').selectAll()
  query = query.where('tenantId', '=', tenantId)
  if (kinds) query = query.where('kind', 'in', kinds)
  return query.orderBy('kind').orderBy('locale').execute()
}

export function findTemplate(db: Db, { tenantId, kind, locale }: TemplateKey) {
  return db
    .selectFrom('notifications.mail_templates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .executeTakeFirst()
}

export function lockTemplate(tx: Tx, { tenantId, kind, locale }: TemplateKey) {
  return tx
    .selectFrom('notifications.mail_templates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .forUpdate()
    .executeTakeFirst()
}

/** Stores a text, and replaces an existing one. */
export function putTemplate(tx: Tx, row: TemplateRow): Promise<TemplateRow> {
  return tx
    .insertInto('notifications.mail_templates')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'kind', 'locale']).doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a text. Returns whether there was one. */
export async function deleteTemplate(
  tx: Tx,
  { tenantId, kind, locale }: TemplateKey,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('notifications.mail_templates')
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function markFault(
  tx: Tx,
  { tenantId, kind, locale }: TemplateKey,
  { fault, faultAt }: { fault: string; faultAt: Instant },
): Promise<void> {
  await tx
    .updateTable('notifications.mail_templates')
    .set({ fault, faultAt })
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .execute()
}
