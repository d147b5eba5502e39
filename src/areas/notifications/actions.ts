import { newId } from '#lib/id.ts'
import { HOUR_MS, type Instant, later } from '#lib/time.ts'
import { contextOf, type Tx } from '#platform/database/index.ts'
import { listPeopleWith } from '#rbac'
import { settingsOf } from '#tenants'
import { findUsers, isProven, isWithin, limitSettings, type UserRow } from '#users'
import { queueMails } from './mails/actions.ts'
import { noticeValues } from './mails/templates/placeholders.ts'
import { AT_WILL } from './preferences/policy.ts'
import { listWishes } from './preferences/queries.ts'
import { channelsFor, type Wish } from './preferences/rules.ts'
import { findTold, insertNotifications, listOftenTold } from './queries.ts'
import { type AttentionFacts, permissionFor, type Topic } from './texts/attention.ts'
import { mailText, noticeText } from './texts/index.ts'
import type { Facts, Kind } from './texts/kinds.ts'

export type Notice<K extends Kind = Kind> = {
  tenantId: string
  userId: string
  kind: K
  data: Facts[K]
  /** A path of the customer panel: `/servers/…`. */
  link?: string
  /** False: no mail is sent, whatever its kind and the person's preferences say. */
  mailed?: boolean
}

/**
 * Notifies a user, in the transaction of the change it is about: in the panel, by mail and on Discord,
 * as its kind and the person's preferences allow. Returns the notification's id; null for a person who is
 * deleted, or has switched every channel off.
 */
export async function notify<K extends Kind>(
  tx: Tx,
  notice: Notice<K>,
  now: Instant,
): Promise<string | null> {
  const [id] = await notifyAll(tx, notice.tenantId, [notice], now)
  return id ?? null
}

/**
 * Notifies people of a tenant, each as `notify` does, with as many statements as for one person. A job
 * notifies a person once about each event and subject (the kind and the link), however often it is
 * retried: the database refuses a second notification, and no second mail is written.
 */
export async function notifyAll<K extends Kind>(
  tx: Tx,
  tenantId: string,
  notices: readonly Omit<Notice<K>, 'tenantId'>[],
  now: Instant,
): Promise<(string | null)[]> {
  if (notices.length === 0) return []
  const users = await listenersTo(tx, tenantId, notices)
  const { jobId } = contextOf(tx)
  const told = notices.map(({ userId, kind, data, link = null, mailed = true }) => {
    const user = users.get(userId)
    if (!user) return null
    const { inApp, email, discord } = channelsFor(kind, user.wishes)
    const mail = email && mailed
    if (!inApp && !mail && !discord) return null
    const message = noticeText(user.locale, kind, data)
    const toldBy = jobId && [jobId, kind, ...topicOf(data), link ?? ''].join(' ')
    return { id: newId(), user, kind, data, link, toldBy, message, inApp, mail, discord }
  })
  const known = told.filter((it) => it !== null)
  const added = await insertNotifications(
    tx,
    known.map(
      ({ id, user, kind, data, link, toldBy, message: { title, body }, inApp, discord }) => {
        const text = { kind, title, body, data, link }
        return { tenantId, id, userId: user.id, ...text, toldBy, inApp, discord, createdAt: now }
      },
    ),
  )
  const mailed: typeof known = []
  for (const it of known) {
    if (it.mail && added.has(it.id) && (await mayBeMailed(tx, it, now))) mailed.push(it)
  }
  await queueMails(
    tx,
    mailed.map(({ id, user: { id: userId, email, name, locale }, kind, data, link, message }) => {
      const values = noticeValues(kind, data, locale)
      const about = { kind, reference: id, message, link, ...(values && { values }) }
      return { tenantId, userId, to: email, name, locale, ...about }
    }),
    now,
  )
  const ids: (string | null)[] = []
  for (const it of told) {
    if (!it || added.has(it.id)) ids.push(it?.id ?? null)
    else
      ids.push(
        (await findTold(tx, { tenantId, userId: it.user.id, toldBy: it.toldBy }))?.id ?? null,
      )
  }
  return ids
}

/** Whether an unconfirmed address may get this mail: the account's owner can trigger some kinds at will. */
async function mayBeMailed(
  tx: Tx,
  { user, kind }: { user: UserRow; kind: Kind },
  now: Instant,
): Promise<boolean> {
  if (isProven(user) || !AT_WILL.has(kind)) return true
  const { tenantId, id: subject } = user
  const { unconfirmedNotices } = await settingsOf(tx, tenantId, limitSettings)
  const notices = { tenantId, kind: 'unconfirmed-notices', subject } as const
  return isWithin(tx, notices, unconfirmedNotices, now)
}

/** The topic of a notice to staff: one event may cause several notices with different topics. */
function topicOf(data: object): string[] {
  return 'topic' in data ? [String(data.topic)] : []
}

type Listener = UserRow & { wishes: Wish[] }

/** The recipients of the notices whose accounts still exist, with their preferences. */
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

/** A matter that needs the attention of staff. `link` is a path of the customer panel. */
export type Attention<T extends Topic = Topic> = {
  tenantId: string
  topic: T
  facts: AttentionFacts[T]
  link?: string
}

/** This many matters are mailed to one person within an hour; further ones appear only in the panel. */
const MAILS_AN_HOUR = 5

/**
 * Notifies the staff with the permission for a matter, each in their own language. If one failure causes a
 * thousand others, a person gets a few mails an hour, and one that says that there is more.
 */
export async function notifyAdmins<T extends Topic>(
  tx: Tx,
  { tenantId, topic, facts, link }: Attention<T>,
  now: Instant,
): Promise<void> {
  const kind = 'admin_attention' as const
  const data = { topic, facts } as Facts['admin_attention']
  const userIds = await listPeopleWith(tx, tenantId, { permission: permissionFor(topic) })
  const recent = { kind, since: later(now, -HOUR_MS), times: MAILS_AN_HOUR }
  const often = await listOftenTold(tx, { tenantId, userIds }, recent)
  const notices = userIds.map((userId) => {
    return { userId, kind, data, ...(link && { link }), mailed: !often.has(userId) }
  })
  await notifyAll(tx, tenantId, notices, now)
  if (often.size > 0) await mailThatThereIsMore(tx, { tenantId, userIds: [...often] }, now)
}

/** Sends one mail an hour to each of these people, if they want mails about what needs their attention. */
async function mailThatThereIsMore(
  tx: Tx,
  { tenantId, userIds }: { tenantId: string; userIds: readonly string[] },
  now: Instant,
): Promise<void> {
  const kind = 'admin_attention' as const
  const users = await listenersTo(
    tx,
    tenantId,
    userIds.map((userId) => ({ userId, kind })),
  )
  const wanting = [...users.values()].filter(({ wishes }) => channelsFor(kind, wishes).email)
  const letters = wanting.map(({ id: userId, email, name, locale }) => ({
    ...{ tenantId, userId, to: email, name, locale, kind, link: '/admin' },
    message: mailText(locale, 'more_attention', { times: MAILS_AN_HOUR }),
    // The same within an hour: a second mail with this reference is not written.
    reference: `more ${userId} ${now.slice(0, 'yyyy-mm-ddThh'.length)}`,
  }))
  await queueMails(tx, letters, now)
}
