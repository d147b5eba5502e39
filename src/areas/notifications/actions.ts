import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findUsers } from '#users'
import { queueMails } from './mails/actions.ts'
import { insertNotifications, listOwners } from './queries.ts'
import { noticeText } from './texts/index.ts'
import { type Facts, type Kind, MAILED } from './texts/kinds.ts'

export type Notice<K extends Kind = Kind> = {
  tenantId: string
  userId: string
  kind: K
  data: Facts[K]
  /** A path of the panel people see: `/services/…`. */
  link?: string
}

/**
 * Tells a user something, in the transaction that made it so: in the panel and, for the kinds that
 * are worth one, by mail. Answers the notification's id; somebody who is deleted is told nothing.
 */
export async function notify<K extends Kind>(
  tx: Tx,
  notice: Notice<K>,
  now: Instant,
): Promise<string | null> {
  const [id] = await notifyAll(tx, notice.tenantId, [notice], now)
  return id ?? null
}

/** Tells people of a tenant something, each as `notify` does; null for those who are deleted. */
export async function notifyAll<K extends Kind>(
  tx: Tx,
  tenantId: string,
  notices: readonly Omit<Notice<K>, 'tenantId'>[],
  now: Instant,
): Promise<(string | null)[]> {
  if (notices.length === 0) return []
  const userIds = new Set(notices.map(({ userId }) => userId))
  const users = new Map((await findUsers(tx, tenantId, [...userIds])).map((it) => [it.id, it]))
  const told = notices.map(({ userId, kind, data, link = null }) => {
    const user = users.get(userId)
    if (!user || user.deletedAt) return null
    return { id: newId(), user, kind, data, link, message: noticeText(user.locale, kind, data) }
  })
  const known = told.filter((it) => it !== null)
  await insertNotifications(
    tx,
    known.map(({ id, user, kind, data, link, message: { title, body } }) => {
      return { tenantId, id, userId: user.id, kind, title, body, data, link, createdAt: now }
    }),
  )
  const mailed = known.filter(({ kind }) => MAILED.has(kind))
  await queueMails(
    tx,
    mailed.map(({ id, user: { email, name, locale }, kind, link, message }) => {
      return { tenantId, to: email, name, locale, kind, reference: id, message, link }
    }),
    now,
  )
  return told.map((it) => it?.id ?? null)
}

/** What operators are told: something waits for them. `link` is a path of the panel people see. */
export type Attention = { tenantId: string; subject: string; detail: string; link?: string }

/** Tells everybody who may do everything in a tenant. */
export async function notifyAdmins(
  tx: Tx,
  { tenantId, subject, detail, link }: Attention,
  now: Instant,
): Promise<void> {
  const data = { subject, detail }
  for (const userId of await listOwners(tx, tenantId)) {
    await notify(
      tx,
      { tenantId, userId, kind: 'admin_attention', data, ...(link && { link }) },
      now,
    )
  }
}
