import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import {
  Email,
  Id,
  IdParams,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { hasMailServer } from '../mail-servers/transport.ts'
import { sendAgain } from './actions.ts'
import { findMail, listMails, type MailRow } from './queries.ts'
import { letterOf } from './rendering.ts'
import { MAIL_STATES, shownText, stateOf } from './rules.ts'

const tags: Tag[] = ['Admin - Operations']

const fields = {
  id: Id,
  kind: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  body: Type.String({ description: 'Empty once the link in it has ended, or was sent' }),
  state: OneOf(
    MAIL_STATES,
    '`kept`: there is no mail server. `failed`: no more attempts, see `failure`. `undeliverable`: there is no such address',
  ),
  createdAt: Timestamp,
  sentAt: Nullable(Timestamp),
  failure: Nullable(Type.String()),
}
const Mail = Resource('Mail', fields)
const WholeMail = Resource('MailWithContent', {
  ...fields,
  text: Type.String({ description: 'As it is sent, in the brand of the shop' }),
  html: Type.String({ description: 'The same as a page' }),
})

const MailQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional(OneOf(MAIL_STATES)),
  kind: Type.Optional(Type.String({ maxLength: 100 })),
  recipient: Type.Optional(Email),
})

export const mailRoutes: Routes = (app, { config }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/mails',
    config: { access: 'admin', permission: 'system:read' },
    schema: {
      tags,
      summary: 'List mails with their state, newest first',
      querystring: MailQuery,
      response: { 200: Page(Mail) },
    },
    async handler({ db, tenantId, query, now }) {
      const mailServer = await hasMailServer(db, config, tenantId)
      const page = await listMails(db, { tenantId, mailServer }, query)
      return { ...page, data: page.data.map((mail) => shown(mail, mailServer, now)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/mails/:id',
    config: { access: 'admin', permission: 'system:read' },
    schema: {
      tags,
      summary: 'Get a mail with both of its parts',
      params: IdParams,
      response: { 200: WholeMail, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id }, now }) {
      const mail = await findMail(db, { tenantId, id })
      if (!mail) throw notFound('Mail')
      const safe = shown(mail, await hasMailServer(db, config, tenantId), now)
      return { ...safe, ...(await letterOf({ db, config }, safe)) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/mails/:id/resend',
    config: { access: 'admin', permission: 'system:write' },
    schema: {
      tags,
      summary: 'Send a mail again',
      description:
        'Also to an address that a mail server said does not exist. 409 `no_mail_server`, and `mail_over` for one whose link has ended or was sent.',
      params: IdParams,
      response: { 200: Mail, ...problems(404, 409) },
    },
    async handler({ db, tenantId, params: { id }, now, transact }) {
      const key = { tenantId, id }
      const mailServer = await hasMailServer(db, config, tenantId)
      const mail = await transact((tx) => sendAgain(tx, { key, mailServer }, now))
      return shown(mail, mailServer, now)
    },
  })
}

function shown(mail: MailRow, mailServer: boolean, now: Instant) {
  return { ...shownText(mail, now), state: stateOf(mail, mailServer) }
}
