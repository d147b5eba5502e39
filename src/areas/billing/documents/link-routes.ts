import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { gone, notFound } from '#lib/problem.ts'
import { IdParams, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { originOf } from '#tenants'
import { findCreditNote, findOwnCreditNote } from '../credit-notes/queries.ts'
import { findInvoice, findOwnInvoice } from '../invoices/queries.ts'
import { type Asked, askedCreditNote, askedInvoice } from './asked.ts'
import {
  documentOfToken,
  LINK_MINUTES,
  LINKED_FORMATS,
  type LinkedDocument,
  linkToken,
} from './links.ts'
import { BEING_MADE, binary } from './responses.ts'
import { answerDocument } from './serve.ts'

const tags: Tag[] = ['Billing']

const LinkQuery = Type.Object({
  format: Type.Optional(OneOf([...LINKED_FORMATS], 'pdf by default; the e-invoice as CII or UBL')),
})
const TokenParams = Type.Object({ token: Type.String({ maxLength: 400 }) })
const DocumentLink = Resource('DocumentLink', {
  url: Type.String({
    description: 'Opens the document without a credential: do not store or log it',
  }),
  expiresAt: Timestamp,
})
const description = `The link is valid for ${LINK_MINUTES} minutes, for a browser or program that has no credential.`

/** Links to documents that work without a credential for a few minutes. */
export const documentLinkRoutes: Routes = async (app, deps) => {
  async function linkTo(
    { db, tenantId, now }: Pick<FastifyRequest, 'db' | 'tenantId' | 'now'>,
    document: LinkedDocument,
  ) {
    const { token, expiresAt } = linkToken(deps.secrets, tenantId, document, now)
    const origin = await originOf(db, deps.config, tenantId)
    return { url: `${origin}/v1/billing/documents/${token}`, expiresAt }
  }

  app.route({
    method: 'GET',
    url: '/v1/billing/invoices/:id/link',
    config: { access: 'user' },
    schema: {
      ...{
        tags,
        description,
        summary: 'A short-lived link to the PDF or XML of one of my invoices',
      },
      params: IdParams,
      querystring: LinkQuery,
      response: { 200: DocumentLink, ...problems(410) },
    },
    async handler(request) {
      const { db, caller, params, query } = request
      const format = query.format ?? 'pdf'
      askedInvoice(await findOwnInvoice(db, caller, params.id), format)
      return linkTo(request, { source: 'invoice', id: params.id, format })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/credit-notes/:id/link',
    config: { access: 'user' },
    schema: {
      ...{
        tags,
        description,
        summary: 'A short-lived link to the PDF or XML of one of my credit notes',
      },
      params: IdParams,
      querystring: LinkQuery,
      response: { 200: DocumentLink, ...problems(410) },
    },
    async handler(request) {
      const { db, caller, params, query } = request
      const format = query.format ?? 'pdf'
      askedCreditNote(await findOwnCreditNote(db, caller, params.id), format)
      return linkTo(request, { source: 'credit_note', id: params.id, format })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/documents/:token',
    config: { access: 'public' },
    schema: {
      ...{ tags, summary: 'The document of a short-lived link', params: TokenParams },
      response: {
        200: binary(['application/pdf', 'application/xml']),
        202: BEING_MADE,
        ...problems(404, 410),
      },
    },
    async handler(request, reply) {
      return answerDocument(
        deps,
        request,
        reply,
        await askedByLink(deps, request, request.params.token),
      )
    },
  })
}

/** The document of a link. A wrong token counts against the quota of guesses. Throws 404, 410 or 429. */
async function askedByLink(deps: Deps, request: FastifyRequest, token: string): Promise<Asked> {
  const { db, tenantId, now } = request
  const { remaining } = await deps.limiter.ask('auth', networkOf(request.ip))
  if (remaining === 0) await request.spendAuthQuota()
  const document = documentOfToken(deps.secrets, tenantId, token, now)
  if (!document) {
    await request.spendAuthQuota()
    throw notFound('Document')
  }
  const { source, id, format, isOver } = document
  if (isOver) throw gone('This link has expired.')
  return source === 'invoice'
    ? askedInvoice(await findInvoice(db, { tenantId, invoiceId: id }), format)
    : askedCreditNote(await findCreditNote(db, tenantId, id), format)
}
