import type { Locale } from '#lib/languages.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { firstNameIn, namesOf } from '#users'
import { attachmentsOf } from '../attachments/view.ts'
import { supportSettings } from '../settings.ts'
import { nameOfDepartment } from '../tickets/view.ts'
import type { MessageRow } from './queries.ts'
import type { AdminTicketMessage, TicketMessage } from './schema.ts'

function authorsOf(db: Db, tenantId: string, rows: readonly MessageRow[]) {
  return namesOf(db, tenantId, [...new Set(rows.map(({ authorId }) => authorId))])
}

function filesOf(db: Db, tenantId: string, rows: readonly MessageRow[]) {
  return attachmentsOf(
    db,
    tenantId,
    rows.map(({ id }) => id),
  )
}

/**
 * Messages as customers read them: staff by their first name, or by the name of the department, never by more (T11).
 */
export async function ownMessages(
  db: Db,
  { tenantId, userId }: UserKey,
  { rows, departmentId }: { rows: readonly MessageRow[]; departmentId: string },
  locale: Locale,
): Promise<TicketMessage[]> {
  const { showStaffNames } = await settingsOf(db, tenantId, supportSettings)
  const team = await nameOfDepartment(db, { tenantId, id: departmentId }, locale)
  const names = await authorsOf(db, tenantId, rows)
  const files = await filesOf(db, tenantId, rows)
  return rows.map(({ id, ticketId, author, authorId, body, createdAt }) => {
    const first = firstNameIn(names.get(authorId)?.name ?? '')
    const isTeam = author === 'staff' && (showStaffNames === 'team' || first === '')
    const authorName = isTeam ? team : first
    const isMine = author === 'customer' && authorId === userId
    const attachments = files.get(id) ?? []
    return { id, ticketId, author, authorName, isMine, body, attachments, createdAt }
  })
}

/** Messages and notes as staff read them. */
export async function staffMessages(
  db: Db,
  tenantId: string,
  rows: readonly MessageRow[],
): Promise<AdminTicketMessage[]> {
  const names = await authorsOf(db, tenantId, rows)
  const files = await filesOf(db, tenantId, rows)
  return rows.map(({ tenantId: _, ...message }) => {
    const attachments = files.get(message.id) ?? []
    return { ...message, authorName: names.get(message.authorId)?.name ?? '', attachments }
  })
}
