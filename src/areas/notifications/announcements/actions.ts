import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { textFor } from '#lib/languages.ts'
import { unprocessable } from '#lib/problem.ts'
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
  insertAnnouncement,
  listPeople,
  lockAnnouncement,
  markTold,
} from './queries.ts'
import type { NewAnnouncement } from './schema.ts'

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

/** Stores an announcement, and queues the job that sends it. */
export async function announce(
  tx: Tx,
  { tenantId, userId }: Caller,
  { texts, productIds = [], mailed = false, public: isPublic = false, link = null }: Told,
  now: Instant,
): Promise<AnnouncementRow> {
  const about = { tenantId, id: newId(), createdBy: userId, createdAt: now }
  const row = await insertAnnouncement(tx, {
    ...{ ...about, texts: json(texts), productIds: [...productIds], mailed, link },
    public: isPublic,
  })
  await enqueue(tx, tellEverybody, { tenantId, id: row.id })
  return row
}

type Told = Omit<NewAnnouncement, 'link'> & { link?: string | null }

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
  if (!announcement || announcement.finishedAt) return false
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
