import { hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '#lib/problem.ts'
import { secondsBetween } from '#lib/time.ts'
import type { Deps } from '#platform/deps.ts'
import { sendFile } from '#platform/http/request.ts'
import { requestDocument } from './actions.ts'
import type { Asked } from './asked.ts'
import { type DocumentFileRow, type DocumentRow, findDocument, findFile } from './queries.ts'

const TYPES = {
  pdf: 'application/pdf',
  cii: 'application/xml; charset=utf-8',
  ubl: 'application/xml; charset=utf-8',
} as const
const RETRY_SECONDS = 1
/** After this time a request starts the job again, which may have failed for good. */
const PATIENCE_SECONDS = 60

/** Sends a document; 202 while it is being made, 503 while its file cannot be read. */
export async function answerDocument(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, format, name }: Asked,
): Promise<FastifyReply> {
  const { db, now, transact } = request
  const document = await findDocument(db, key)
  const file = document?.madeAt ? await findFile(db, document, format) : undefined
  if (file) {
    const extension = format === 'pdf' ? 'pdf' : 'xml'
    reply.header('content-disposition', `attachment; filename="${fileName(name)}.${extension}"`)
    return sendFile(reply, TYPES[format], await contentOf(deps, file))
  }
  if (!document || isOverdue(document, now)) {
    await transact((tx) => requestDocument(tx, key, now))
  }
  return reply.code(202).header('retry-after', String(RETRY_SECONDS)).send({ state: 'being_made' })
}

function isOverdue({ requestedAt }: DocumentRow, now: FastifyRequest['now']): boolean {
  return secondsBetween(requestedAt, now) >= PATIENCE_SECONDS
}

/** A number may contain slashes and pluses; a file name may not. */
function fileName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '-')
}

/** Exactly the bytes that were stored; throws for any others. */
async function contentOf({ files, log }: Deps, file: DocumentFileRow): Promise<Buffer> {
  const { fileKey, sha256 } = file
  const stream = await files.get(fileKey)
  const content = stream && (await buffer(stream))
  if (content && hash('sha256', content, 'buffer').equals(sha256)) return content
  log.error({ fileKey, missing: content === null }, 'a stored document cannot be read')
  throw unavailable('This document cannot be read at the moment.')
}
