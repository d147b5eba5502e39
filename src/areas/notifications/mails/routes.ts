import { Type } from 'typebox'
import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import {
  Body,
  Email,
  Id,
  IdParams,
  Line,
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
import { findUser, lockUserShared } from '#users'
import { hasMailServer } from '../mail-servers/transport.ts'
import { mailLink, sendAgain } from './actions.ts'
import { findMail, findMailOf, listMails, type MailRow } from './queries.ts'
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

const NewMessage = Body({
  subject: Line(150),
  text: Type.String({
    ...{ minLength: 1, maxLength: 5000 },
    // With a visible character, and without control characters except tabs and line breaks.
    pattern: '^(?=[\\s\\S]*\\S)[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    description: 'Plain text; an empty line begins a paragraph, and URLs become links',
  }),
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

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/mails',
    config: {
      ...{ access: 'admin', permission: 'users:write' },
      exists: ({ db, tenantId, params }) =>
        findUser(db, { tenantId, userId: (params as { id: string }).id }),
    },
    schema: {
      tags,
      summary: 'Send a mail to a person',
      description:
        'In the brand of the shop, after a greeting in the language of the person, whatever kinds of mail they have switched off. `state` is `kept` without a mail server, and `undeliverable` if a mail server said that the address does not exist: then it is not sent.',
      params: IdParams,
      body: NewMessage,
      response: { 201: Mail, ...problems(404) },
    },
    async handler({ db, tenantId, params, body: { subject, text }, now, transact }, reply) {
      const key = { tenantId, userId: params.id }
      const reference = `message ${newId()}`
      const mailServer = await hasMailServer(db, config, tenantId)
      const mail = await transact(async (tx) => {
        // An account that is deleted meanwhile deletes its mails: this one is not among them yet.
        await lockUserShared(tx, key)
        const user = await findUser(tx, key)
        if (!user || user.deletedAt) throw notFound('User')
        const to = { ...key, to: user.email, name: user.name, locale: user.locale, reference }
        const facts = { subject, text: paragraphsOf(text) }
        await mailLink(tx, to, { kind: 'staff_message', facts }, now)
        return findMailOf(tx, { tenantId, reference })
      })
      return reply.code(201).send(shown(mail, mailServer, now))
    },
  })
}

/** Text with the line breaks of Unix, without empty lines around it. */
function paragraphsOf(text: string): string {
  return text.replaceAll('\r\n', '\n').trim()
}

function shown(mail: MailRow, mailServer: boolean, now: Instant) {
  return { ...shownText(mail, now), state: stateOf(mail, mailServer) }
}
