import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { mailText } from '../texts/index.ts'
import type { MailKind } from '../texts/kinds.ts'
import { removeMailServer, setMailServer } from './actions.ts'
import { findMailServer, type MailServerRow } from './queries.ts'
import { MailServers, MailTest, NewMailServer } from './schema.ts'
import { sendTest } from './testing.ts'

const tags: Tag[] = ['Admin - Operations']
const read = { access: 'admin', permission: 'system:read' } as const
const write = { access: 'admin', permission: 'system:write' } as const

/** The mail server of a shop, and a test mail. */
export const mailServerRoutes: Routes = (app, deps) => {
  const { config, secrets, outbound } = deps
  const view = (row: MailServerRow | undefined): MailServers => {
    return { own: row ? shown(row) : null, platform: config.smtpUrl !== null }
  }

  app.route({
    method: 'GET',
    url: '/v1/admin/mail-server',
    config: read,
    schema: {
      tags,
      summary: 'Get the mail server of this shop, without its password',
      response: { 200: MailServers },
    },
    handler: async ({ db, tenantId }) => view(await findMailServer(db, tenantId)),
  })

  app.route({
    method: 'PUT',
    url: '/v1/admin/mail-server',
    config: write,
    schema: {
      tags,
      summary: 'Set the mail server of this shop',
      description:
        'From then on mails go through it. It is not called yet: send a test mail. 422 `address_not_allowed` for ' +
        'a private address that the operator has not opened with `MOORAGE_PRIVATE_HOSTS`, and for other ports ' +
        'than 25, 465, 587 and 2525.',
      body: NewMailServer,
      response: { 200: MailServers, ...problems(422) },
    },
    async handler({ body, tenantId, now, transact }) {
      await outbound.for({ tenantId, purpose: 'mail' }).assertAllowedMail(body)
      return view(await transact((tx) => setMailServer(tx, secrets, { ...body, tenantId }, now)))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/mail-server',
    config: write,
    schema: {
      tags,
      summary: 'Remove the mail server of this shop; the one of the installation sends its mails',
      description: '404 where the shop has none of its own.',
      response: { 200: MailServers, ...problems(404) },
    },
    async handler({ tenantId, transact }) {
      await transact((tx) => removeMailServer(tx, tenantId))
      return view(undefined)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/mails/test',
    config: write,
    schema: {
      tags,
      summary: 'Send a test mail to your own address, and wait for the answer of the mail server',
      description:
        'It goes through the mail server of the shop, also if that has just failed, and through the one of the ' +
        'installation where the shop has none. 409 `no_mail_server` without either.',
      response: { 200: MailTest, ...problems(409) },
    },
    handler: (request) =>
      sendTest(deps, request, ({ locale }) => {
        const kind = 'mail_test' satisfies MailKind
        return { kind, locale, message: mailText(locale, kind, {}), link: null }
      }),
  })
}

function shown(row: MailServerRow): NonNullable<MailServers['own']> {
  const { host, port, security, username, fault, failingSince, checkedAt } = row
  const status = checkedAt === null ? 'unknown' : fault === null ? 'ok' : 'unhealthy'
  return { host, port, security, username, status, message: fault, failingSince, checkedAt }
}
