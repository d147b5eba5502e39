import type { Db } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { supportSettings } from '../settings.ts'
import { listAttachmentsOf } from './queries.ts'
import { type AttachmentRow, isBlocked, isImage } from './rules.ts'
import type { Attachment } from './schema.ts'

export function attachmentView(
  { id, name, sizeBytes, mediaType }: AttachmentRow,
  blockedExtensions: readonly string[],
): Attachment {
  const blocked = isBlocked(name, blockedExtensions)
  return { id, name, sizeBytes, mediaType, image: isImage(mediaType) && !blocked, blocked }
}

/** The files of messages, by the ids of the messages; one without files is left out. */
export async function attachmentsOf(
  db: Db,
  tenantId: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string | null, Attachment[]>> {
  const rows = await listAttachmentsOf(db, tenantId, messageIds)
  const { blockedExtensions } = await settingsOf(db, tenantId, supportSettings)
  const views = rows.map((row) => ({
    of: row.messageId,
    view: attachmentView(row, blockedExtensions),
  }))
  return new Map(
    [...Map.groupBy(views, (it) => it.of)].map(([id, of]) => [id, of.map(({ view }) => view)]),
  )
}
