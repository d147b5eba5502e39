import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { namesTag } from './tags.ts'

/** The description of lists whose changes clients can poll for. */
export const POLLING =
  'The response has a weak `ETag`, which covers the entries of the page but not `total`. With `If-None-Match`, an unchanged page is a 304, which is not in the audit log: poll with it.'

/** The response to a conditional request for a page that has not changed. */
export const SAME_PAGE = {
  304: Type.Null({ description: 'The page is the one that `If-None-Match` names.' }),
}

type PolledPage = { readonly data: readonly unknown[]; readonly nextCursor: string | null }

/** A page of a list with its `ETag`, or 304 if the client already has this page. */
export function unlessSame<T extends PolledPage>(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  page: T,
): T | FastifyReply {
  const { data, nextCursor } = page
  const etag = `W/"${hash('sha256', JSON.stringify([data, nextCursor]), 'base64url')}"`
  reply.header('etag', etag)
  return namesTag(headers['if-none-match'], etag) ? reply.code(304).send() : page
}
