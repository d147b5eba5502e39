import { PNG_SIGNATURE } from '#lib/images/png.ts'
import { isWebp } from '#lib/images/webp.ts'
import { DAY_MS, HOUR_MS, type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'

export type AttachmentRow = Row<'support.attachments'>
export type AttachmentKey = Pick<AttachmentRow, 'tenantId' | 'id'>
type MediaType = AttachmentRow['mediaType']

/** How long an upload can be attached to a message. */
export const USABLE_MS = DAY_MS
/** An upload that no message names is deleted later than it can be attached, so that no message can lose it. */
export const UNUSED_MS = USABLE_MS + HOUR_MS

/** Where the content of an attachment is stored. */
export function fileKeyOf({ tenantId, id }: AttachmentKey): string {
  return `${tenantId}/support/files/${id}`
}

const MOST_CHARACTERS = 200
const MOST_OF_ENDING = 20
/** Control characters, line separators, and characters that change the direction of the text around them. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** The name of an uploaded file: only data, without a path. A shortened one keeps its ending. */
export function nameFrom(sent: string): string {
  const [last = ''] = sent.toWellFormed().split(/[/\\]/).slice(-1)
  // Windows ignores dots and spaces at the end of a name.
  const name = last.replace(HIDDEN, '').replace(/^\s+|[\s.]+$/g, '')
  const characters = [...name]
  if (characters.length <= MOST_CHARACTERS) return name || 'file'
  const dot = name.lastIndexOf('.')
  const ending = dot === -1 ? [] : [...name.slice(dot)]
  if (ending.length > MOST_OF_ENDING) return characters.slice(0, MOST_CHARACTERS).join('')
  return [...characters.slice(0, MOST_CHARACTERS - ending.length), ...ending].join('')
}

/** Whether files with the ending of this name cannot be downloaded. */
export function isBlocked(name: string, blockedExtensions: readonly string[]): boolean {
  const dot = name.lastIndexOf('.')
  return dot !== -1 && blockedExtensions.includes(name.slice(dot + 1).toLowerCase())
}

/** The bytes that are needed to recognise a media type. */
export const HEAD_BYTES = 16

/** The media type of a file by its first bytes. Only images that browsers show without running anything have one. */
export function mediaTypeOf(head: Buffer): MediaType {
  if (head.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png'
  if (head.length >= 3 && head.readUIntBE(0, 3) === 0xffd8ff) return 'image/jpeg'
  if (/^GIF8[79]a$/.test(head.toString('latin1', 0, 6))) return 'image/gif'
  return isWebp(head) ? 'image/webp' : 'application/octet-stream'
}

export function isImage(mediaType: MediaType): boolean {
  return mediaType !== 'application/octet-stream'
}

/** Files in 24 hours, of any size. */
export const UPLOADS_A_DAY = 200

export type Uploaded = Pick<AttachmentRow, 'createdAt' | 'sizeBytes'>

/**
 * The seconds until a person may upload a file of this size, from their uploads of the last day, newest first; null if
 * they may now.
 */
export function secondsUntilRoom(
  uploads: readonly Uploaded[],
  { sizeBytes, mostBytes }: { sizeBytes: number; mostBytes: number },
  now: Instant,
): number | null {
  let bytes = sizeBytes
  for (const [index, upload] of uploads.entries()) {
    bytes += upload.sizeBytes
    if (bytes <= mostBytes && index + 1 < UPLOADS_A_DAY) continue
    const waitMs = millis(later(upload.createdAt, DAY_MS)) - millis(now)
    return Math.max(1, Math.ceil(waitMs / SECOND_MS))
  }
  return null
}

/** A person whose address was never confirmed uploads this many of the largest files a day. */
const UNCONFIRMED_FILES = 2

/** How many bytes a person may upload in 24 hours. */
export function dailyBytesOf(
  settings: { maxAttachmentBytes: number; maxDailyAttachmentBytes: number },
  isProven: boolean,
): number {
  const { maxAttachmentBytes, maxDailyAttachmentBytes } = settings
  if (isProven) return maxDailyAttachmentBytes
  return Math.min(maxDailyAttachmentBytes, UNCONFIRMED_FILES * maxAttachmentBytes)
}

const MONTH_MS = 31 * DAY_MS

/** The time before which a ticket was closed whose files are erased, if they are kept for so many months. */
export function keptSince(now: Instant, months: number): Instant {
  return later(now, -months * MONTH_MS)
}

/** `Content-Disposition` of a download (RFC 6266): a name in ASCII, and the name as it is. */
export function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
