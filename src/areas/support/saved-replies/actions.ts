import { type Caller, holds } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { badRequest, conflict, forbidden, notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { isUniqueViolation, json, type Tx } from '#platform/database/index.ts'
import { findDepartment, listDepartments } from '../departments/queries.ts'
import { type DepartmentRow, isSeenBy } from '../departments/rules.ts'
import { tagsOf } from '../tags/queries.ts'
import { MOST_TAGS, tagsFrom } from '../tags/rules.ts'
import { assertAssignable, changeLocked } from '../tickets/actions.ts'
import { lockTicket, type Staff } from '../tickets/queries.ts'
import type { TicketRow } from '../tickets/rules.ts'
import { countReplies, findReply, insertReply, lockReply, updateReply } from './queries.ts'
import {
  type Action,
  actionsWithout,
  assertPlaceholders,
  type ReplyActions,
  type ReplyRow,
} from './rules.ts'
import type { NewSavedReply, SavedReplyChange } from './schema.ts'

const MOST_REPLIES = 500

/**
 * Saves a reply. Throws 403 for a shared one without `support:write`, 409 `name_taken`, 422 for an unknown placeholder
 * and for too many replies.
 */
export async function createReply(
  tx: Tx,
  caller: Caller,
  { name, texts, shared = false, departmentIds = [], actions = {} }: NewSavedReply,
  now: Instant,
): Promise<ReplyRow> {
  const { tenantId, userId } = caller
  if (shared) assertMayShare(caller)
  assertPlaceholders(texts)
  const ownerId = shared ? null : userId
  // Two requests at once may exceed the limit by one, which does no harm.
  if ((await countReplies(tx, { tenantId, ownerId })) >= MOST_REPLIES) {
    throw unprocessable(`At most ${MOST_REPLIES} replies are saved.`, 'too_many_saved_replies')
  }
  const checked = await checkedActions(tx, tenantId, { departmentIds, actions })
  const row = { tenantId, id: newId(), ownerId, name: name.trim(), departmentIds, createdAt: now }
  return refusingTakenName(() =>
    insertReply(tx, { ...row, texts: json(texts), actions: json(checked) }),
  )
}

/** Changes a reply that is not archived. Throws 404, else as `createReply`. */
export async function changeReply(
  tx: Tx,
  caller: Caller,
  { id, change }: { id: string; change: SavedReplyChange },
): Promise<ReplyRow> {
  const reply = await lockEditable(tx, caller, id)
  if (reply.archivedAt) throw notFound('Saved reply')
  const { name, texts, departmentIds = reply.departmentIds, actions = reply.actions } = change
  if (texts) assertPlaceholders(texts)
  // What stays as it is was checked before: a person who has left must not block a change of the text.
  const isChecked = change.actions || change.departmentIds
  const checked = isChecked
    ? await checkedActions(tx, caller.tenantId, { departmentIds, actions })
    : reply.actions
  return refusingTakenName(() =>
    updateReply(tx, reply, {
      ...(name !== undefined && { name: name.trim() }),
      ...(texts && { texts: json(texts) }),
      ...{ departmentIds, actions: json(checked) },
    }),
  )
}

/** Archives a reply: nobody can use it until it is restored. Throws 404, 403. */
export async function archiveReply(tx: Tx, caller: Caller, id: string, now: Instant) {
  const reply = await lockEditable(tx, caller, id)
  if (reply.archivedAt) throw notFound('Saved reply')
  await updateReply(tx, reply, { archivedAt: now })
  return { id, deleted: true }
}

/** Makes an archived reply usable again. Throws 404, 403, 409 `name_taken` if another one has its name now. */
export async function restoreReply(tx: Tx, caller: Caller, id: string): Promise<ReplyRow> {
  const reply = await lockEditable(tx, caller, id)
  if (!reply.archivedAt) return reply
  return refusingTakenName(() => updateReply(tx, reply, { archivedAt: null }))
}

async function lockEditable(tx: Tx, caller: Caller, id: string): Promise<ReplyRow> {
  const reply = await lockReply(tx, { tenantId: caller.tenantId, id })
  if (!reply || (reply.ownerId !== null && reply.ownerId !== caller.userId)) {
    throw notFound('Saved reply')
  }
  if (reply.ownerId === null) assertMayShare(caller)
  return reply
}

function assertMayShare({ permissions }: Caller): void {
  if (holds(permissions, 'support:write')) return
  throw forbidden('Shared replies need the permission support:write.', 'permission_missing')
}

type Wanted = {
  readonly departmentIds: readonly string[]
  readonly actions: NonNullable<SavedReplyChange['actions']>
}

/** The actions as they are stored. Throws 400 for what does not exist, 422 `assignee_without_access`. */
async function checkedActions(
  tx: Tx,
  tenantId: string,
  { departmentIds, actions }: Wanted,
): Promise<ReplyActions> {
  const { next = null, holdHours = null, priority = null, assigneeId = null } = actions
  const { assignToMe = false, departmentId = null, tags = [] } = actions
  if (holdHours !== null && next !== 'hold') {
    throw badRequest('Only a hold has hours.', [
      { path: 'actions.holdHours', message: 'needs `next: hold`' },
    ])
  }
  if (assigneeId !== null && assignToMe) {
    throw badRequest('A ticket has one assignee.', [
      { path: 'actions.assigneeId', message: 'excludes `assignToMe`' },
    ])
  }
  const all = new Map((await listDepartments(tx, tenantId)).map((it) => [it.id, it]))
  const places = departmentIds.map((id, index) => ({ id, path: `departmentIds.${index}` }))
  if (departmentId) places.push({ id: departmentId, path: 'actions.departmentId' })
  const details = places.flatMap(({ id, path }) =>
    all.has(id) ? [] : [{ path, message: 'does not exist' }],
  )
  if (details.length > 0) throw badRequest('A department does not exist.', details)
  if (assigneeId) {
    const department = all.get(departmentId ?? departmentIds[0] ?? '')
    await assertAssignable(tx, department ?? { tenantId, groupIds: [] }, assigneeId)
  }
  const rest = { assigneeId, assignToMe, departmentId, tags: tagsFrom(tags) }
  return { next, holdHours, priority, ...rest }
}

async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isTaken = ['shared_replies_by_name', 'own_replies_by_name'].some((it) =>
      isUniqueViolation(error, it),
    )
    if (!isTaken) throw error
    throw conflict('A saved reply has this name already.', 'name_taken')
  }
}

type Sent = {
  readonly savedReplyId: string
  readonly savedReplyRevision?: number | undefined
  readonly withoutActions?: readonly Action[] | undefined
}

/**
 * The actions of a saved reply that is sent on a ticket, as they are now. Throws 404, 409 `saved_reply_archived` and
 * `saved_reply_changed`, 422 `saved_reply_not_usable` on this ticket or by this person.
 */
export async function actionsToDo(
  tx: Tx,
  staff: Staff,
  ticket: TicketRow,
  { savedReplyId, savedReplyRevision, withoutActions = [] }: Sent,
): Promise<ReplyActions> {
  const reply = await findReply(tx, { staff, seesAll: false }, savedReplyId)
  if (!reply) throw notFound('Saved reply')
  if (reply.archivedAt) {
    throw conflict('This saved reply was archived.', 'saved_reply_archived')
  }
  if (savedReplyRevision !== undefined && savedReplyRevision !== reply.revision) {
    const message = 'This saved reply was changed. Choose it again to see what it does now.'
    throw conflict(message, 'saved_reply_changed')
  }
  const isForAll = reply.departmentIds.length === 0
  if (!isForAll && !reply.departmentIds.includes(ticket.departmentId)) throw notUsable()
  return actionsWithout(reply.actions, withoutActions)
}

function notUsable() {
  const message = 'This saved reply cannot be used here. Choose another one.'
  return unprocessable(message, 'saved_reply_not_usable')
}

type Place = { readonly ticket: TicketRow; readonly department: DepartmentRow }

/**
 * Does to a locked ticket what a saved reply says, except for its status. Returns the changed ticket. Throws 422 for
 * what the caller may not do, `assignee_without_access` and `too_many_tags`.
 */
export async function doActions(
  tx: Tx,
  staff: Staff,
  { ticket, department, actions }: Place & { actions: ReplyActions },
  now: Instant,
): Promise<TicketRow> {
  const { priority, departmentId, assignToMe } = actions
  const assigneeId = assignToMe ? staff.userId : actions.assigneeId
  if (departmentId) {
    const target = await findDepartment(tx, { ...staff, id: departmentId })
    if (!target || target.archivedAt || !isSeenBy(target, staff.groupIds)) throw notUsable()
  }
  const tags = [...new Set([...(await tagsOf(tx, ticket)), ...actions.tags])].sort()
  if (tags.length > MOST_TAGS) {
    throw unprocessable(`A ticket has at most ${MOST_TAGS} tags.`, 'too_many_tags')
  }
  const change = {
    ...(priority && { priority }),
    ...(departmentId && { departmentId }),
    ...(assigneeId && { assigneeId }),
    ...(actions.tags.length > 0 && { tags }),
  }
  if (Object.keys(change).length === 0) return ticket
  await changeLocked(tx, staff, { ticket, department, change }, now)
  const changed = await lockTicket(tx, ticket)
  if (!changed) throw new Error('A locked ticket has gone')
  return changed
}
