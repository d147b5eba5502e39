import { type Static, Type } from 'typebox'
import { Body, Id, Resource, Timestamp } from '#lib/schema.ts'

export const Upload = Body({
  file: Type.Optional(Type.String({ format: 'binary', description: 'The file, with its name' })),
})

const MediaType = Type.Unsafe<string>({
  ...Type.String(),
  description:
    'By the first bytes of the content: `image/png`, `image/jpeg`, `image/gif`, `image/webp`, or `application/octet-stream`',
})

export const Attachment = Resource('TicketAttachment', {
  id: Id,
  name: Type.String({ description: 'As the uploader named it: data, not a path' }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  mediaType: MediaType,
  image: Type.Boolean({ description: 'Whether a link can show it in a page (`inline=1`)' }),
  blocked: Type.Boolean({
    description: 'Its ending is one of `blockedExtensions`: it cannot be downloaded',
  }),
})
export type Attachment = Static<typeof Attachment>

/** More than any shop may allow: how many are allowed is a setting. */
export const MOST_ATTACHMENTS = 20

export const AttachmentIds = Type.Array(Id, {
  ...{ maxItems: MOST_ATTACHMENTS, uniqueItems: true },
  description:
    'Uploads of the caller of the last 24 hours that no message has yet; at most `maxAttachments`',
})

export const AttachmentLink = Resource('TicketAttachmentLink', {
  url: Type.String({
    description:
      'Downloads the file without a credential; with `inline=1` a page can show an image. Do not store or log it',
  }),
  expiresAt: Timestamp,
})

export const AttachmentLimits = Type.Object(
  {
    count: Type.Integer({ description: 'The most files of a message' }),
    fileBytes: Type.Integer({ description: 'The largest size of a file' }),
    messageBytes: Type.Integer({ description: 'The largest size of the files of a message' }),
  },
  { description: 'What can be attached to a message' },
)
