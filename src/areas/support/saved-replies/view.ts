import { type Locale, textFor } from '#lib/languages.ts'
import type { Db } from '#platform/database/index.ts'
import { brandOf, settingsOf } from '#tenants'
import { firstNameIn, localesOf, namesOf } from '#users'
import { listDepartments } from '../departments/queries.ts'
import { departmentName } from '../departments/rules.ts'
import { supportSettings } from '../settings.ts'
import type { Staff, StaffTicketView } from '../tickets/queries.ts'
import { nameOfDepartment } from '../tickets/view.ts'
import { filled, type ReplyRow, type Values } from './rules.ts'
import type { SavedReply, UsableReply } from './schema.ts'

/** A saved reply as staff edit it. */
export function replyView({ tenantId: _, ownerId, ...reply }: ReplyRow): SavedReply {
  return { ...reply, shared: ownerId === null }
}

type Place = { readonly ticket: StaffTicketView; readonly staff: Staff }

/** Replies with their texts filled in for a ticket: in the language of its customer, else in that of the shop. */
export async function usableReplies(
  db: Db,
  { ticket, staff }: Place,
  rows: readonly ReplyRow[],
  locale: Locale,
): Promise<UsableReply[]> {
  const { tenantId, customerId } = ticket
  const { name: shop, locale: shopLocale = null } = await brandOf(db, tenantId)
  const theirs = (await localesOf(db, tenantId, [customerId])).get(customerId) ?? locale
  const assigneeIds = rows.flatMap(({ actions }) => actions.assigneeId ?? [])
  const people = await namesOf(db, tenantId, [customerId, staff.userId, ...assigneeIds])
  const nameOf = (id: string) => people.get(id)?.name ?? ''
  const values: Values = {
    'customer.firstName': firstNameIn(nameOf(customerId)),
    'customer.name': nameOf(customerId),
    'ticket.number': ticket.number,
    'service.name': ticket.serviceName ?? '',
    'staff.firstName': await signatureOf(db, { ticket, staff }, nameOf(staff.userId), theirs),
    'shop.name': shop,
  }
  const departments = new Map((await listDepartments(db, tenantId)).map((it) => [it.id, it]))
  return rows.map(({ id, name, ownerId, revision, texts, actions }) => {
    const { next, holdHours, priority, departmentId, tags } = actions
    const assigneeId = actions.assignToMe ? staff.userId : actions.assigneeId
    const target = departmentId === null ? undefined : departments.get(departmentId)
    const department = target && {
      id: target.id,
      name: departmentName(target, { locale, shopLocale }),
    }
    const assignee = assigneeId === null ? null : { id: assigneeId, name: nameOf(assigneeId) }
    const done = { next, holdHours, priority, assignee, department: department ?? null, tags }
    const [, text = ''] = textFor(texts, theirs, shopLocale) ?? []
    return { id, name, shared: ownerId === null, revision, ...filled(text, values), actions: done }
  })
}

/** The author as the customer sees it: a shop that hides names of staff signs with the department (T11). */
async function signatureOf(db: Db, { ticket }: Place, name: string, locale: Locale) {
  const { tenantId, departmentId } = ticket
  const { showStaffNames } = await settingsOf(db, tenantId, supportSettings)
  const first = firstNameIn(name)
  if (showStaffNames === 'first_name' && first !== '') return first
  return nameOfDepartment(db, { tenantId, id: departmentId }, locale)
}
