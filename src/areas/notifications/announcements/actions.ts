import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { textFor } from '#lib/languages.ts'
import { notFound, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Area } from '#platform/area.ts'
import { type Db, json, type Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { brandOf } from '#tenants'
import { findUsers } from '#users'
import { notifyAll } from '../actions.ts'
import { tellEverybody } from '../work.ts'
import {
  type AnnouncementKey,
  type AnnouncementRow,
  deleteAnnouncement,
  insertAnnouncement,
  listPeople,
  lockAnnouncement,
  lockDue,
  markTold,
  updateAnnouncement,
} from './queries.ts'
import { assertAhead, assertCorrection, assertUnpublished } from './rules.ts'
import type { AnnouncementChange, NewAnnouncement } from './schema.ts'

/** Few enough that other transactions do not wait noticeably for the database. */
const TOLD_AT_ONCE = 200

type OfProducts = { readonly tenantId: string; readonly productIds: readonly string[] }

/** Throws 422 `product_unknown` for an announcement to the customers of a product that does not exist. */
export async function assertProducts(
  areas: readonly Area[],
  db: Db,
  { tenantId, productIds }: OfProducts,
): Promise<void> {
  const among = areas.find((area) => area.productsAmong)?.productsAmong
  const known = await among?.(db, tenantId, productIds)
  const details = productIds.flatMap((id, index) => {
    return known?.has(id)
      ? []
      : [{ path: `productIds.${index}`, message: 'There is no such product.' }]
  })
  if (details.length === 0) return
  throw unprocessable('There is no such product.', 'product_unknown', details)
}

/**
 * Stores an announcement, and queues the job that sends it; with `publishAt` it waits for that time, or remains a draft
 * (null). Throws 422 `publication_past`.
 */
export async function announce(
  tx: Tx,
  { tenantId, userId }: Caller,
  {
    texts,
    productIds = [],
    mailed = false,
    public: isPublic = false,
    link,
    publishAt,
  }: NewAnnouncement,
  now: Instant,
): Promise<AnnouncementRow> {
  if (publishAt) assertAhead(publishAt, now)
  const isSent = publishAt === undefined
  const row = await insertAnnouncement(tx, {
    ...{ tenantId, id: newId(), createdBy: userId, createdAt: now },
    ...{ texts: json(texts), productIds: [...productIds], mailed, link: link ?? null },
    ...(isSent
      ? { public: isPublic, publicLater: false, publishAt: null, publishedAt: now }
      : { public: false, publicLater: isPublic, publishAt, publishedAt: null }),
  })
  if (isSent) await enqueue(tx, tellEverybody, { tenantId, id: row.id })
  return row
}

/**
 * Changes a draft, or corrects the texts and the link of a published announcement, without notifying anybody again.
 * Throws 404, 409 `announcement_published`, 422 `publication_past`.
 */
export async function changeAnnouncement(
  tx: Tx,
  key: AnnouncementKey,
  change: AnnouncementChange,
  now: Instant,
): Promise<AnnouncementRow> {
  const announcement = await locked(tx, key)
  const { texts, productIds, publishAt, public: isPublic, ...others } = change
  if (announcement.publishedAt) assertCorrection(announcement, change)
  // A form sends the planned time that is stored, also in the moment in which the time comes.
  if (publishAt && publishAt !== announcement.publishAt) assertAhead(publishAt, now)
  return updateAnnouncement(tx, key, {
    ...others,
    ...(texts && { texts: json(texts) }),
    ...(productIds && { productIds: [...productIds] }),
    ...(publishAt !== undefined && { publishAt }),
    // Whether a published one is public does not change.
    ...(isPublic !== undefined && !announcement.publishedAt && { publicLater: isPublic }),
  })
}

/** Publishes a draft, and queues the job that sends it. Throws 404, 409 `announcement_published`. */
export async function publishAnnouncement(
  tx: Tx,
  key: AnnouncementKey,
  now: Instant,
): Promise<AnnouncementRow> {
  const announcement = await locked(tx, key)
  assertUnpublished(announcement)
  return publish(tx, announcement, now)
}

/** Publishes announcements whose planned time has come; returns how many, `limit` at most. */
export async function publishDue(tx: Tx, now: Instant, limit: number): Promise<number> {
  const due = await lockDue(tx, now, limit)
  for (const announcement of due) await publish(tx, announcement, now)
  return due.length
}

async function publish(tx: Tx, { tenantId, id, publicLater }: AnnouncementRow, now: Instant) {
  const key = { tenantId, id }
  const published = await updateAnnouncement(tx, key, {
    ...{ public: publicLater, publicLater: false, publishAt: null, publishedAt: now },
  })
  await enqueue(tx, tellEverybody, key)
  return published
}

/** Deletes a draft, also one with a planned time. Throws 404, 409 `announcement_published`. */
export async function deleteDraft(tx: Tx, key: AnnouncementKey) {
  assertUnpublished(await locked(tx, key))
  await deleteAnnouncement(tx, key)
  return { id: key.id, deleted: true }
}

async function locked(tx: Tx, key: AnnouncementKey): Promise<AnnouncementRow> {
  const announcement = await lockAnnouncement(tx, key)
  if (!announcement) throw notFound('Announcement')
  return announcement
}

/**
 * Notifies the next batch of people of an announcement, and records the progress in the same transaction, so
 * that nobody is notified twice, whatever crashes when. Returns whether people may be left.
 */
export async function notifyNextBatch(
  tx: Tx,
  { areas, key }: { areas: readonly Area[]; key: AnnouncementKey },
  now: Instant,
): Promise<boolean> {
  const announcement = await lockAnnouncement(tx, key)
  if (!announcement?.publishedAt || announcement.finishedAt) return false
  const { tenantId, texts, mailed, link } = announcement
  const userIds = await audienceOf(tx, areas, announcement)
  const { locale: shopLocale } = await brandOf(tx, tenantId)
  const people = await findUsers(tx, tenantId, userIds)
  const notices = people.flatMap(({ id: userId, locale }) => {
    const [, data] = textFor(texts, locale, shopLocale) ?? []
    const notice = { userId, kind: 'announcement' as const, mailed, ...(link && { link }) }
    return data ? [{ ...notice, data }] : []
  })
  const ids = await notifyAll(tx, tenantId, notices, now)
  const left = userIds.length === TOLD_AT_ONCE
  await markTold(tx, key, {
    upTo: userIds.at(-1) ?? null,
    told: ids.filter((id) => id !== null).length,
    finishedAt: left ? null : now,
  })
  return left
}

async function audienceOf(
  tx: Tx,
  areas: readonly Area[],
  { tenantId, productIds, toldUpTo: after }: AnnouncementRow,
): Promise<readonly string[]> {
  const part = { after, limit: TOLD_AT_ONCE }
  if (productIds.length === 0) return listPeople(tx, tenantId, part)
  const customersOf = areas.find((area) => area.customersOf)?.customersOf
  return (await customersOf?.(tx, { tenantId, productIds }, part)) ?? []
}
