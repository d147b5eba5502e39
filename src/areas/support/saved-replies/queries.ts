import { type Insertable, type SqlBool, sql } from 'kysely'
import { invalidCursor } from '#lib/problem.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import { DEFAULT_LIMIT, idOf, type Page, pageFrom } from '#platform/page.ts'
import { isSeenIn, type Staff } from '../tickets/queries.ts'
import type { ReplyRow } from './rules.ts'
import type { SavedReplyQuery } from './schema.ts'

/** A member of staff, and whether they see the shared replies of all departments. */
export type Reader = { readonly staff: Staff; readonly seesAll: boolean }

/** Their own replies, and the shared ones of the departments whose tickets they see. */
function repliesSeenBy(db: Db, { staff, seesAll }: Reader) {
  const isOfOwnDepartment = sql<SqlBool>`(reply.department_ids = '{}' or exists (
    select 1 from support.departments as department
     where department.tenant_id = reply.tenant_id and department.id = any(reply.department_ids)
       and ${isSeenIn('department', staff)}))`
  return db
    .selectFrom('support.saved_replies as reply')
    .selectAll('reply')
    .where('reply.tenantId', '=', staff.tenantId)
    .where((is) =>
      is.or([
        is('reply.ownerId', '=', staff.userId),
        is.and([is('reply.ownerId', 'is', null), seesAll ? sql<SqlBool>`true` : isOfOwnDepartment]),
      ]),
    )
}

/** A reply that a member of staff sees, archived or not. */
export function findReply(db: Db, reader: Reader, id: string): Promise<ReplyRow | undefined> {
  return repliesSeenBy(db, reader).where('reply.id', '=', id).executeTakeFirst()
}

/** The replies that a member of staff sees, by name. */
export function listReplies(
  db: Db,
  reader: Reader,
  { archived = false, ...page }: SavedReplyQuery,
): Promise<Page<ReplyRow>> {
  const seen = repliesSeenBy(db, reader)
  return pageByName(
    db,
    seen.where('reply.archivedAt', archived ? 'is not' : 'is', null),
    reader.staff,
    page,
  )
}

/**
 * The replies that a member of staff can use on a ticket of a department, by name. One that moves the ticket to a
 * department that they do not see is not among them.
 */
export function listUsableReplies(
  db: Db,
  staff: Staff,
  { departmentId, ...page }: SavedReplyQuery & { departmentId: string },
): Promise<Page<ReplyRow>> {
  const usable = repliesSeenBy(db, { staff, seesAll: false })
    .where('reply.archivedAt', 'is', null)
    .where(
      sql<SqlBool>`(reply.department_ids = '{}' or ${departmentId}::uuid = any(reply.department_ids))`,
    )
    .where(
      sql<SqlBool>`(reply.actions->>'departmentId' is null or exists (
        select 1 from support.departments as target
         where target.tenant_id = reply.tenant_id and target.id = (reply.actions->>'departmentId')::uuid
           and target.archived_at is null and ${isSeenIn('target', staff)}))`,
    )
  return pageByName(db, usable, staff, page)
}

async function pageByName(
  db: Db,
  query: ReturnType<typeof repliesSeenBy>,
  { tenantId }: Staff,
  { q, limit = DEFAULT_LIMIT, cursor }: SavedReplyQuery,
): Promise<Page<ReplyRow>> {
  let part = query
    .orderBy(sql`lower(reply.name)`)
    .orderBy('reply.id')
    .limit(limit + 1)
  if (q) part = part.where(sql<SqlBool>`strpos(lower(reply.name), lower(${q})) > 0`)
  if (cursor !== undefined) {
    const last = await db
      .selectFrom('support.saved_replies')
      .select(['id', 'name'])
      .where('tenantId', '=', tenantId)
      .where('id', '=', idOf(cursor))
      .executeTakeFirst()
    if (!last) throw invalidCursor()
    part = part.where(
      sql<SqlBool>`(lower(reply.name), reply.id) > (lower(${last.name}), ${last.id}::uuid)`,
    )
  }
  return pageFrom(await part.execute(), limit)
}

type ReplyKey = Pick<ReplyRow, 'tenantId' | 'id'>

export function lockReply(tx: Tx, { tenantId, id }: ReplyKey): Promise<ReplyRow | undefined> {
  return tx
    .selectFrom('support.saved_replies')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** How many replies that are not archived a person has, or the shop shares. */
export async function countReplies(
  db: Db,
  { tenantId, ownerId }: Pick<ReplyRow, 'tenantId' | 'ownerId'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('support.saved_replies')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('tenantId', '=', tenantId)
    .where('ownerId', ownerId === null ? 'is' : '=', ownerId)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

type Written = Insertable<Tables['support.saved_replies']>

export function insertReply(tx: Tx, row: Written): Promise<ReplyRow> {
  return tx.insertInto('support.saved_replies').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes a reply that the caller has locked, and raises its revision. */
export function updateReply(
  tx: Tx,
  { tenantId, id }: ReplyKey,
  change: Partial<Written>,
): Promise<ReplyRow> {
  return tx
    .updateTable('support.saved_replies')
    .set({ ...change, revision: sql<number>`revision + 1` })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A person's own replies. */
export function listRepliesOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('support.saved_replies')
    .select(['name', 'texts', 'createdAt', 'archivedAt'])
    .where('tenantId', '=', tenantId)
    .where('ownerId', '=', userId)
    .orderBy('id')
    .execute()
}

/** Deletes a person's own replies; shared ones that assign tickets to them stop doing so. */
export async function forgetPerson(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('support.saved_replies')
    .where('tenantId', '=', tenantId)
    .where('ownerId', '=', userId)
    .execute()
  await tx
    .updateTable('support.saved_replies')
    .set({
      actions: sql`jsonb_set(actions, '{assigneeId}', 'null')`,
      revision: sql<number>`revision + 1`,
    })
    .where('tenantId', '=', tenantId)
    .where(sql<SqlBool>`actions->>'assigneeId' = ${userId}`)
    .execute()
}
