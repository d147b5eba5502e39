import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Id, IdParams, Nullable, Page, PageQuery, Timestamp } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { findMail, listMails } from './queries.ts'

const tags = ['Admin - Operations']

const Mail = Type.Object({
  id: Id,
  kind: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  body: Type.String(),
  createdAt: Timestamp,
  sentAt: Nullable(Timestamp),
  failure: Nullable(Type.String()),
})

export const mailRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/mails',
    config: { access: 'admin', permission: 'system:read' },
    schema: {
      tags,
      summary: 'Mails that were sent or, without a mail server, are kept; newest first',
      querystring: PageQuery,
      response: { 200: Page(Mail) },
    },
    handler: ({ db, tenantId, query }) => listMails(db, tenantId, query),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/mails/:id',
    config: { access: 'admin', permission: 'system:read' },
    schema: {
      tags,
      summary: 'One mail',
      params: IdParams,
      response: { 200: Mail, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id } }) {
      const mail = await findMail(db, { tenantId, id })
      if (!mail) throw notFound('Mail')
      return mail
    },
  })
}
