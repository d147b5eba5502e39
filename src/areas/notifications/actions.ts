import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findUsers, type UserRow } from '#users'
import { queueMails } from './mails/actions.ts'
import { listWishes } from './preferences/queries.ts'
import { channelsFor, type Wish } from './preferences/rules.ts'
import { insertNotifications, listOwners } from './queries.ts'
import type { AttentionFacts, Topic } from './texts/attention.ts'
import { noticeText } from './texts/index.ts'
import type { Facts, Kind } from './texts/kinds.ts'

export type Notice<K extends Kind = Kind> = {
  tenantId: string
  userId: string
  kind: K
  data: Facts[K]
  /** A path of the panel people see: `/services/…`. */
  link?: string
  /** False: no mail, whatever its kind and its person say. */
  mailed?: boolean
}

/**
 * Tells a user something, in the transaction that made it so: in the panel, by mail and on Discord,
 * as its kind allows and the person wants. Answers the notification's id; null for somebody who is
 * deleted, or wants to hear of it nowhere.
 */
export async function notify<K extends Kind>(
  tx: Tx,
  notice: Notice<K>,
  now: Instant,
): Promise<string | null> {
  const [id] = await notifyAll(tx, notice.tenantId, [notice], now)
  return id ?? null
}

/** Tells people of a tenant something, each as `notify` does, with as many statements as for one. */
export async function notifyAll<K extends Kind>(
  tx: Tx,
  tenantId: string,
  notices: readonly Omit<Notice<K>, 'tenantId'>[],
  now: Instant,
): Promise<(string | null)[]> {
  if (notices.length === 0) return []
  const users = await listenersTo(tx, tenantId, notices)
  const told = notices.map(({ userId, kind, data, link = null, mailed = true }) => {
    const user = users.get(userId)
    if (!user) return null
    const { inApp, email, discord } = channelsFor(kind, user.wishes)
    const mail = email && mailed
    if (!inApp && !mail && !discord) return null
    const message = noticeText(user.locale, kind, data)
    return { id: newId(), user, kind, data, link, message, inApp, mail, discord }
  })
  const known = told.filter((it) => it !== null)
  await insertNotifications(
    tx,
    known.map(({ id, user, kind, data, link, message: { title, body }, inApp, discord }) => {
      const text = { kind, title, body, data, link }
      return { tenantId, id, userId: user.id, ...text, inApp, discord, createdAt: now }
    }),
  )
  const mailed = known.filter(({ mail }) => mail)
  await queueMails(
    tx,
    mailed.map(({ id, user: { id: userId, email, name, locale }, kind, link, message }) => {
      return { tenantId, userId, to: email, name, locale, kind, reference: id, message, link }
    }),
    now,
  )
  return told.map((it) => it?.id ?? null)
}

type Listener = UserRow & { wishes: Wish[] }

/** Those of whom the notices speak who are still there, with what they want to hear of. */
async function listenersTo(
  tx: Tx,
  tenantId: string,
  notices: readonly { userId: string; kind: Kind }[],
): Promise<ReadonlyMap<string, Listener>> {
  const userIds = [...new Set(notices.map(({ userId }) => userId))]
  const kinds = [...new Set(notices.map(({ kind }) => kind))]
  const users = await findUsers(tx, tenantId, userIds)
  const wishes = Map.groupBy(
    await listWishes(tx, { tenantId, userIds }, kinds),
    ({ userId }) => userId,
  )
  return new Map(
    users
      .filter(({ deletedAt }) => !deletedAt)
      .map((user) => [user.id, { ...user, wishes: wishes.get(user.id) ?? [] }]),
  )
}

/** What operators are told: something waits for them. `link` is a path of the panel people see. */
export type Attention<T extends Topic = Topic> = {
  tenantId: string
  topic: T
  facts: AttentionFacts[T]
  link?: string
}

/** Tells everybody who may do everything in a tenant, each in their own language. */
export async function notifyAdmins<T extends Topic>(
  tx: Tx,
  { tenantId, topic, facts, link }: Attention<T>,
  now: Instant,
): Promise<void> {
  const kind = 'admin_attention' as const
  const data = { topic, facts } as Facts['admin_attention']
  const notices = (await listOwners(tx, tenantId)).map((userId) => {
    return { userId, kind, data, ...(link && { link }) }
  })
  await notifyAll(tx, tenantId, notices, now)
}
