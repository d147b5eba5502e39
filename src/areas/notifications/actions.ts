import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findUser } from '#users'
import { queueMail } from './mails/actions.ts'
import { insertNotification, listOwners } from './queries.ts'
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
  { tenantId, userId, kind, data, link }: Notice<K>,
  now: Instant,
): Promise<string | null> {
  const user = await findUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) return null
  const { title, body } = noticeText(user.locale, kind, data)
  const id = newId()
  await insertNotification(tx, {
    ...{ tenantId, id, userId, kind, title, body, data },
    link: link ?? null,
    createdAt: now,
  })
  if (!MAILED.has(kind)) return id
  const mail = {
    tenantId,
    to: user.email,
    name: user.name,
    locale: user.locale,
    kind,
    reference: id,
  }
  await queueMail(tx, { ...mail, message: { title, body }, link: link ?? null }, now)
  return id
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
