import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import { type Db, type Row, read, type Tx } from '#platform/database/index.ts'
import { insertRows, updateRows } from '#platform/database/rows.ts'

export type FeedRow = Row<'bot.feeds'>
export type GrantRow = Row<'bot.grants'>
export type ChangeRow = Row<'bot.role_changes'>

/** A role of a member, and the person whose account the member is linked to. */
export type Grant = Pick<GrantRow, 'discordId' | 'guildId' | 'roleId' | 'userId'>

type Members = { tenantId: string; discordIds: readonly string[] }

/** Creates a tenant's feed, if it has none. */
export async function insertFeed(tx: Tx, tenantId: string): Promise<void> {
  await tx
    .insertInto('bot.feeds')
    .values({ tenantId })
    .onConflict((it) => it.doNothing())
    .execute()
}

/** Locks the feed, so that appends run one after the other; undefined for a tenant that never mapped a role. */
export function lockFeed(tx: Tx, tenantId: string) {
  return tx
    .selectFrom('bot.feeds')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .forUpdate()
    .executeTakeFirst()
}

export function findFeed(db: Db, tenantId: string) {
  return db.selectFrom('bot.feeds').selectAll().where('tenantId', '=', tenantId).executeTakeFirst()
}

/** The feeds of all tenants. */
export function listFeeds(db: Db): Promise<FeedRow[]> {
  return db.selectFrom('bot.feeds').selectAll().execute()
}

export async function updateFeed(
  tx: Tx,
  { tenantId, ...change }: Pick<FeedRow, 'tenantId'> & Partial<FeedRow>,
): Promise<void> {
  await tx.updateTable('bot.feeds').set(change).where('tenantId', '=', tenantId).execute()
}

/**
 * The roles that members should have now, by all mappings: members who are linked, and neither
 * suspended nor deleted. A service counts for its owner, while its server can be used.
 */
const ENTITLED = `
  with member as (
    select connection.account_id as discord_id, connection.user_id
    from users.connections connection
    join users.users person
      on person.tenant_id = connection.tenant_id and person.id = connection.user_id
    where connection.tenant_id = $1 and connection.provider = 'discord'
      and connection.account_id = any($2::text[])
      and person.suspended_at is null and person.deleted_at is null
  ), service as (
    select member.user_id, service.product_id, service.plan_id
    from member
    join services.services service
      on service.tenant_id = $1 and service.user_id = member.user_id
    where service.activated_at is not null and service.suspended_at is null
      and service.ended_at is null
  ), belongs as (
    select member.user_id, own.group_id
    from member
    join rbac.group_members own on own.tenant_id = $1 and own.user_id = member.user_id
  ), fact (user_id, source, source_id) as (
    select user_id, 'active_service', null::uuid from service
    union
    select user_id, 'product', product_id from service
    union
    select user_id, 'plan', plan_id from service
    union
    select user_id, 'group', group_id from belongs
    union
    select member.user_id, 'rbac_role', held.role_id
    from member
    join rbac.user_roles held on held.tenant_id = $1 and held.user_id = member.user_id
    union
    select belongs.user_id, 'rbac_role', granted.role_id
    from belongs
    join rbac.group_roles granted on granted.tenant_id = $1 and granted.group_id = belongs.group_id
  )
  select distinct member.discord_id, member.user_id, mapping.discord_guild_id as guild_id,
                  mapping.discord_role_id as role_id
  from member
  join fact on fact.user_id = member.user_id
  join bot.role_mappings mapping
    on mapping.tenant_id = $1 and mapping.source = fact.source
      and mapping.source_id is not distinct from fact.source_id
  order by discord_id, guild_id, role_id`

/** The roles that members should have now, in the order of member, guild and role. */
export function listEntitled(db: Db, { tenantId, discordIds }: Members): Promise<Grant[]> {
  return read<Grant>(db, ENTITLED, [tenantId, discordIds])
}

/** The roles that members have according to the feed. */
export function listGrants(db: Db, { tenantId, discordIds }: Members): Promise<Grant[]> {
  return db
    .selectFrom('bot.grants')
    .select(['discordId', 'guildId', 'roleId', 'userId'])
    .where('tenantId', '=', tenantId)
    .where('discordId', '=', sql<string>`any(${[...discordIds]}::text[])`)
    .orderBy('discordId')
    .orderBy('guildId')
    .orderBy('roleId')
    .execute()
}

/** All linked members. */
function linked(db: Db, tenantId: string) {
  return db
    .selectFrom('users.connections')
    .select('accountId as discordId')
    .where('tenantId', '=', tenantId)
    .where('provider', '=', 'discord')
}

/** All members to whom the feed has given a role. */
function granted(db: Db, tenantId: string) {
  return db.selectFrom('bot.grants').select('discordId').where('tenantId', '=', tenantId)
}

/** A person's accounts at Discord: those linked now, and those that the feed has given their roles to. */
export async function listMembersOf(db: Db, { tenantId, userId }: UserKey): Promise<string[]> {
  const rows = await linked(db, tenantId)
    .where('userId', '=', userId)
    .union(granted(db, tenantId).where('userId', '=', userId))
    .execute()
  return rows.map(({ discordId }) => discordId)
}

/** A page of the members after a given one, in the order of their ids. */
export async function listMembersAfter(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  // Each part has its own limit: the union of all rows of both would be sorted for every page.
  const ofLinked = linked(db, tenantId)
    .$if(after !== null, (query) => query.where('accountId', '>', after ?? ''))
    .orderBy('accountId')
    .limit(limit)
  const ofGranted = granted(db, tenantId)
    .distinct()
    .$if(after !== null, (query) => query.where('discordId', '>', after ?? ''))
    .orderBy('discordId')
    .limit(limit)
  const rows = await db
    .selectFrom(ofLinked.as('linked'))
    .select('discordId')
    .union(db.selectFrom(ofGranted.as('granted')).select('discordId'))
    .orderBy('discordId')
    .limit(limit)
    .execute()
  return rows.map(({ discordId }) => discordId)
}

export async function insertChanges(tx: Tx, rows: readonly ChangeRow[]): Promise<void> {
  await insertRows(tx, 'bot.role_changes', rows)
}

export async function insertGrants(tx: Tx, rows: readonly GrantRow[]): Promise<void> {
  await insertRows(tx, 'bot.grants', rows)
}

/** Records which person's account a member's roles belong to now. */
export async function moveGrants(
  tx: Tx,
  rows: readonly Pick<GrantRow, 'tenantId' | 'discordId' | 'guildId' | 'roleId' | 'userId'>[],
): Promise<void> {
  await updateRows(tx, 'bot.grants', ['tenantId', 'discordId', 'guildId', 'roleId'], rows)
}

export async function deleteGrants(
  tx: Tx,
  tenantId: string,
  grants: readonly Grant[],
): Promise<void> {
  if (grants.length === 0) return
  const column = (name: 'discordId' | 'guildId' | 'roleId') => grants.map((it) => it[name])
  await tx
    .deleteFrom('bot.grants')
    .where('tenantId', '=', tenantId)
    .where(
      sql<boolean>`(discord_id, guild_id, role_id) in (select * from unnest(
        ${column('discordId')}::text[], ${column('guildId')}::text[], ${column('roleId')}::text[]))`,
    )
    .execute()
}

/** Deletes the additions of members from the feed: the removals still have to be applied. */
export async function deleteAdditions(tx: Tx, { tenantId, discordIds }: Members): Promise<void> {
  await tx
    .deleteFrom('bot.role_changes')
    .where('tenantId', '=', tenantId)
    .where('discordId', 'in', discordIds)
    .where('action', '=', 'add')
    .execute()
}
