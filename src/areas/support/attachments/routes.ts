import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { newId } from '#lib/id.ts'
import { networkOf } from '#lib/network.ts'
import { conflict, gone, notFound, unavailable } from '#lib/problem.ts'
import { Id, OneOf } from '#lib/schema.ts'
import { transact as inTransaction } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { originOf, settingsOf } from '#tenants'
import { supportSettings } from '../settings.ts'
import { type Attached, linkedAttachment, readableAttachment } from './access.ts'
import { beginUpload } from './actions.ts'
import { attachmentOfToken, LINK_MINUTES, type LinkedAttachment, linkToken } from './links.ts'
import { eraseUpload, markStored } from './queries.ts'
import { dispositionOf, fileKeyOf, isBlocked, isImage } from './rules.ts'
import { Attachment, AttachmentLink, Upload } from './schema.ts'
import { largestIn, storeUpload } from './storing.ts'
import { attachmentView } from './view.ts'

const tags: Tag[] = ['Support']
const Params = Type.Object({ id: Id, attachmentId: Id })
const TokenParams = Type.Object({ token: Type.String({ maxLength: 400 }) })
const FileQuery = Type.Object({
  inline: Type.Optional(OneOf(['1'], 'Show it in a page; every file but an image is downloaded')),
})
const file = { schema: { type: 'string', format: 'binary' } }
const FILE = {
  description: 'The file',
  content: Object.fromEntries(
    [...['application/octet-stream', 'image/png', 'image/jpeg', 'image/gif', 'image/webp']].map(
      (type) => [type, file],
    ),
  ),
}

/** For a file that a browser opens by itself: nothing in it runs, and it loads nothing. */
const HARMLESS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-site',
  'cache-control': 'private, no-store',
}

/** Uploads for messages on tickets. */
export const uploadRoutes: Routes = (app, deps) => {
  // The route reads the form itself, a piece at a time.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))

  app.route({
    method: 'POST',
    url: '/v1/tickets/attachments',
    config: { access: 'user', longBody: true },
    schema: {
      tags,
      summary: 'Upload a file for a message on a ticket',
      description:
        'Takes a multipart form with the file. `attachmentIds` of one message of the caller names it within 24 hours; an upload that is not used is deleted. For customers and staff. 413 above `maxAttachmentBytes`, 429 with `Retry-After` above `maxDailyAttachmentBytes` in 24 hours, 503 while files cannot be stored.',
      consumes: ['multipart/form-data'],
      body: Upload,
      response: { 201: Attachment, ...problems(410, 413, 415, 503) },
    },
    async handler({ raw, tenantId, caller, db, now, transact }, reply) {
      const key = { tenantId, id: newId() }
      const settings = await settingsOf(db, tenantId, supportSettings)
      const { maxAttachmentBytes: maxBytes, blockedExtensions } = settings
      const { userId } = caller
      const largest = largestIn(raw, maxBytes)
      await inTransaction(db, (tx) => beginUpload(tx, { ...key, userId }, largest, now))
      try {
        const stored = await storeUpload(deps, raw, { ...key, maxBytes })
        const row = await transact((tx) => markStored(tx, key, { ...stored, storedAt: now }))
        if (!row) {
          // The job that deletes erased files may have been here before this one was stored.
          await deps.files.delete(fileKeyOf(key))
          throw gone('This upload took too long.')
        }
        return await reply.code(201).send(attachmentView(row, blockedExtensions))
      } catch (error) {
        await inTransaction(db, (tx) => eraseUpload(tx, key, now))
        throw error
      }
    },
  })
}

/** Links to the files of tickets, and the files behind them. */
export const attachmentRoutes: Routes = (app, deps) => {
  async function linkTo(
    { db, tenantId, caller: { userId }, now }: FastifyRequest,
    { id, attachmentId }: { id: string; attachmentId: string },
    side: LinkedAttachment['side'],
  ) {
    const link = { id: attachmentId, userId, side }
    const attached = await readableAttachment(db, tenantId, link)
    if (attached?.ticketId !== id) throw notFound('Attachment')
    const { blockedExtensions } = await settingsOf(db, tenantId, supportSettings)
    if (isBlocked(attached.name, blockedExtensions)) {
      throw conflict('Files of this kind cannot be downloaded.', 'attachment_blocked')
    }
    const { token, expiresAt } = linkToken(deps.secrets, tenantId, link, now)
    const origin = await originOf(db, deps.config, tenantId)
    return { url: `${origin}/v1/support/files/${token}`, expiresAt }
  }

  const description = `Valid for ${LINK_MINUTES} minutes, as long as the caller may read the message. 409 \`attachment_blocked\`.`
  const response = { 200: AttachmentLink, ...problems(404, 409) }

  app.route({
    method: 'GET',
    url: '/v1/tickets/:id/attachments/:attachmentId/link',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      ...{ tags, description, params: Params, response },
      summary: 'A short-lived link to a file on one of my tickets',
    },
    handler: (request) => linkTo(request, request.params, 'customer'),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/tickets/:id/attachments/:attachmentId/link',
    config: { access: 'admin', permission: 'tickets:read' },
    schema: {
      ...{ tags: ['Admin - Support'], description, params: Params, response },
      summary: 'A short-lived link to a file on a ticket',
    },
    handler: (request) => linkTo(request, request.params, 'staff'),
  })

  app.route({
    method: 'GET',
    url: '/v1/support/files/:token',
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'The file of a short-lived link',
      description:
        'Always a download, but for an image with `inline=1`. Whether the person of the link may read the file is checked again.',
      params: TokenParams,
      querystring: FileQuery,
      response: { 200: FILE, ...problems(404, 410, 503) },
    },
    async handler(request, reply) {
      const attached = await linked(deps, request, request.params.token)
      const isShown = request.query.inline === '1' && isImage(attached.mediaType)
      const stream = await deps.files.get(fileKeyOf(attached))
      if (!stream) {
        deps.log.error({ attachmentId: attached.id }, 'a stored attachment is missing')
        throw unavailable('This file cannot be read at the moment.')
      }
      if (request.method === 'HEAD') stream.destroy()
      reply
        .headers({ ...HARMLESS, 'content-length': attached.sizeBytes })
        .type(isShown ? attached.mediaType : 'application/octet-stream')
        .serializer((it: Readable) => it as never)
      if (!isShown) reply.header('content-disposition', dispositionOf(attached.name))
      return reply.send((request.method === 'HEAD' ? Readable.from([]) : stream) as never)
    },
  })
}

/** The file of a link. A wrong token counts against the quota of guesses. Throws 404, 410 or 429. */
async function linked(deps: Deps, request: FastifyRequest, token: string): Promise<Attached> {
  const { db, tenantId, now } = request
  const { remaining } = await deps.limiter.ask('auth', networkOf(request.ip))
  if (remaining === 0) await request.spendAuthQuota()
  const link = attachmentOfToken(deps.secrets, tenantId, token, now)
  if (!link) {
    await request.spendAuthQuota()
    throw notFound('File')
  }
  if (link.isOver) throw gone('This link has expired.')
  const attached = await linkedAttachment(db, tenantId, link)
  const { blockedExtensions } = await settingsOf(db, tenantId, supportSettings)
  if (!attached || isBlocked(attached.name, blockedExtensions)) throw notFound('File')
  return attached
}
