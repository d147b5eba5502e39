import { conflict, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { AnnouncementRow } from './queries.ts'
import type { AnnouncementChange, AnnouncementStatus } from './schema.ts'

type Facts = Pick<AnnouncementRow, 'publishAt' | 'publishedAt'>

/** An announcement as staff see it: its status follows from its times, and a draft says whether it will be public. */
export function viewOf(announcement: AnnouncementRow) {
  const isPublic = announcement.public || announcement.publicLater
  return { ...announcement, public: isPublic, status: statusOf(announcement) }
}

function statusOf({ publishAt, publishedAt }: Facts): AnnouncementStatus {
  if (publishedAt) return 'published'
  return publishAt ? 'scheduled' : 'draft'
}

/** Throws 422 `publication_past` for a planned time that is not ahead. */
export function assertAhead(publishAt: Instant, now: Instant): void {
  if (publishAt > now) return
  const details = [{ path: 'publishAt', message: 'This time has passed.' }]
  throw unprocessable('The planned time has passed.', 'publication_past', details)
}

/** Throws 409 `announcement_published` if it is no draft any more. */
export function assertUnpublished({ publishedAt }: Facts): void {
  if (publishedAt) throw conflict('It is published already.', 'announcement_published')
}

/**
 * Throws 409 `announcement_published` if a published announcement would get another audience or another time: people
 * were notified. Its texts and its link can be corrected.
 */
export function assertCorrection(announcement: AnnouncementRow, change: AnnouncementChange): void {
  const { productIds, mailed, public: isPublic, publishAt } = change
  const isSame =
    (mailed ?? announcement.mailed) === announcement.mailed &&
    (isPublic ?? announcement.public) === announcement.public &&
    (publishAt ?? null) === null &&
    (!productIds || isSameSet(productIds, announcement.productIds))
  if (!isSame) assertUnpublished(announcement)
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((it) => others.includes(it))
}
