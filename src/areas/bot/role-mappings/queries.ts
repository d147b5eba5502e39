import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type MappingRow = Row<'bot.role_mappings'>
export type MappingKey = Pick<MappingRow, 'tenantId' | 'id'>

const SHOWN = [
  ...(['id', 'discordGuildId', 'discordRoleId', 'source', 'sourceId', 'createdAt'] as const),
] as const

export function listMappings(db: Db, tenantId: string, page: PageQuery) {
  const query = db.selectFrom('bot.role_mappings').select(SHOWN).where('tenantId', '=', tenantId)
  return pageOf(query, page)
}

export function findMapping(db: Db, { tenantId, id }: MappingKey) {
  return db
    .selectFrom('bot.role_mappings')
    .select(SHOWN)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockMapping(tx: Tx, { tenantId, id }: MappingKey) {
  return tx
    .selectFrom('bot.role_mappings')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function countMappings(db: Db, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('bot.role_mappings')
    .select((it) => it.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .executeTakeFirstOrThrow()
  return count
}

export function insertMapping(tx: Tx, row: MappingRow) {
  return tx.insertInto('bot.role_mappings').values(row).returning(SHOWN).executeTakeFirstOrThrow()
}

export function updateMapping(tx: Tx, { tenantId, id }: MappingKey, change: Partial<MappingRow>) {
  return tx
    .updateTable('bot.role_mappings')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returning(SHOWN)
    .executeTakeFirstOrThrow()
}

/** Undefined if there is no such mapping. */
export function deleteMapping(tx: Tx, { tenantId, id }: MappingKey) {
  return tx
    .deleteFrom('bot.role_mappings')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

const SOURCES = {
  product: 'store.products',
  plan: 'store.plans',
  rbac_role: 'rbac.roles',
  group: 'rbac.groups',
} as const

/** Whether the tenant has the product, plan, role or group of this id. */
export async function hasSource(
  db: Db,
  source: keyof typeof SOURCES,
  { tenantId, id }: MappingKey,
): Promise<boolean> {
  const found = await db
    .selectFrom(SOURCES[source])
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

/** Every role that some mapping gives, without duplicates, in the order of guild and role. */
export function listManagedRoles(db: Db, tenantId: string) {
  return db
    .selectFrom('bot.role_mappings')
    .select(['discordGuildId as guildId', 'discordRoleId as roleId'])
    .distinct()
    .where('tenantId', '=', tenantId)
    .orderBy('guildId')
    .orderBy('roleId')
    .execute()
}
