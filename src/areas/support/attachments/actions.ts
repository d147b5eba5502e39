import { detail, notFound, Problem, unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { isProven, lockUser } from '#users'
import type { MessageRow } from '../messages/queries.ts'
import { supportSettings } from '../settings.ts'
import { attach, insertAttachment, listUploads, lockUsable } from './queries.ts'
import {
  type AttachmentKey,
  dailyBytesOf,
  secondsUntilRoom,
  UPLOADS_A_DAY,
  USABLE_MS,
} from './rules.ts'

/**
 * Notes that a file is about to arrive, before anything is stored. Its largest possible size counts against what the
 * person may upload in a day, so that uploads at the same time cannot exceed it together. Throws 429.
 */
export async function beginUpload(
  tx: Tx,
  { userId, ...key }: AttachmentKey & { userId: string },
  sizeBytes: number,
  now: Instant,
): Promise<void> {
  const { tenantId } = key
  const user = await lockUser(tx, { tenantId, userId })
  if (!user) throw notFound('User')
  const mostBytes = dailyBytesOf(await settingsOf(tx, tenantId, supportSettings), isProven(user))
  const since = later(now, -DAY_MS)
  const uploads = await listUploads(tx, { tenantId, userId }, { since, limit: UPLOADS_A_DAY })
  const seconds = secondsUntilRoom(uploads, { sizeBytes, mostBytes }, now)
  if (seconds !== null) {
    throw new Problem(429, 'You have uploaded as much as is allowed for now. Try again later.', {
      code: 'limit_reached',
      headers: { 'retry-after': String(seconds) },
    })
  }
  await insertAttachment(tx, {
    ...{ ...key, uploadedBy: userId, ticketId: null, messageId: null, sizeBytes, createdAt: now },
    ...{ name: '', mediaType: 'application/octet-stream', sha256: null },
    ...{ storedAt: null, erasedAt: null },
  })
}

/**
 * Attaches uploads to a message that was just written. Throws 422 `attachment_not_usable` for one that is not an unused
 * upload of the author of the last 24 hours, and for more or larger files than a message may have.
 */
export async function attachUploads(
  tx: Tx,
  { tenantId, authorId: userId, ticketId, id: messageId }: MessageRow,
  ids: readonly string[] = [],
  now: Instant,
): Promise<void> {
  if (ids.length === 0) return
  const settings = await settingsOf(tx, tenantId, supportSettings)
  const { maxAttachments, maxMessageAttachmentBytes } = settings
  if (ids.length > maxAttachments) {
    throw notUsable(detail('attachmentIds', { kind: 'files_at_most', values: [maxAttachments] }))
  }
  const person: UserKey = { tenantId, userId }
  const uploads = await lockUsable(tx, person, { ids, since: later(now, -USABLE_MS) })
  const usable = new Set(uploads.map(({ id }) => id))
  const wrong = ids.flatMap((id, index) =>
    usable.has(id) ? [] : [detail(`attachmentIds.${index}`, { kind: 'no_upload' })],
  )
  if (wrong.length > 0) throw notUsable(...wrong)
  const sizeBytes = uploads.reduce((sum, upload) => sum + upload.sizeBytes, 0)
  if (sizeBytes > maxMessageAttachmentBytes) {
    const values = [Math.floor(maxMessageAttachmentBytes / 2 ** 20)]
    throw notUsable(detail('attachmentIds', { kind: 'megabytes_at_most', values }))
  }
  await attach(tx, tenantId, { ids, ticketId, messageId })
}

function notUsable(...details: ReturnType<typeof detail>[]) {
  const message = 'These files cannot be attached.'
  return unprocessable(message, 'attachment_not_usable', details)
}
