import type { FastifyRequest } from 'fastify'
import { LOCALES } from '#lib/languages.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { localeOf } from '#platform/pages/locale.ts'
import { MailTest } from '../../mail-servers/schema.ts'
import { sendTest } from '../../mail-servers/testing.ts'
import { contentOf, textOf } from '../content.ts'
import { oneLine } from '../letter.ts'
import { letterIn, surroundingsOf } from '../rendering.ts'
import { resetTemplate, setTemplate } from './actions.ts'
import { examplesOf, nameOf } from './examples.ts'
import type { TemplateKind } from './kinds.ts'
import { placeholdersOf, STANDARD_TEMPLATE, TEMPLATE_KINDS } from './placeholders.ts'
import { findTemplate, listTemplates, type TemplateRow } from './queries.ts'
import { assertTemplate } from './rules.ts'
import { NewTemplate, TemplateParams, TemplatePreviews, Templates, TemplateView } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const read = { access: 'admin', permission: 'system:read' } as const
const write = { access: 'admin', permission: 'system:write' } as const

/** The button of an example leads to this page of the shop. */
const LINK = '/home'
/** The recipient of the examples in a preview. */
const EXAMPLE_NAME = 'Ada Martin'

/** The subjects and texts of the mails of a shop. */
export const mailTemplateRoutes: Routes = (app, deps) => {
  const { config } = deps

  app.route({
    method: 'GET',
    url: '/v1/admin/mail-templates',
    config: read,
    schema: {
      tags,
      summary:
        'List the kinds of mail whose text can be changed, with the languages of your own texts',
      response: { 200: Templates },
    },
    async handler({ db, tenantId, headers }) {
      const locale = readerOf({ headers })
      const own = Map.groupBy(await listTemplates(db, tenantId), ({ kind }) => kind)
      const data = TEMPLATE_KINDS.map((kind) => {
        const rows = new Map((own.get(kind) ?? []).map((it) => [it.locale, it]))
        return {
          ...{ kind, name: nameOf(locale, kind), languages: LOCALES.filter((it) => rows.has(it)) },
          unused: LOCALES.filter((it) => rows.get(it)?.fault != null),
        }
      })
      return { data }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/mail-templates/:kind/:locale',
    config: read,
    schema: {
      tags,
      summary: 'Get the subject and text of a kind of mail in a language, with its placeholders',
      params: TemplateParams,
      response: { 200: TemplateView },
    },
    async handler({ db, tenantId, params, headers }) {
      const row = await findTemplate(db, { tenantId, ...params })
      return shown(params, row, readerOf({ headers }))
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/admin/mail-templates/:kind/:locale',
    config: write,
    schema: {
      tags,
      summary: 'Set the subject and text of a kind of mail in a language',
      description:
        'For mails from now on. Greeting, table, button and closing text of the mail stay as they are. A mail in which a ' +
        'placeholder has no value is sent with the standard text, and staff are notified. 422 `placeholder_unknown` lists ' +
        'the known ones.',
      params: TemplateParams,
      body: NewTemplate,
      response: { 200: TemplateView, ...problems(422) },
    },
    async handler({ tenantId, params, body, headers, now, transact }) {
      const key = { tenantId, ...params }
      const row = await transact((tx) => setTemplate(tx, key, body, now))
      return shown(params, row, readerOf({ headers }))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/mail-templates/:kind/:locale',
    config: write,
    schema: {
      tags,
      summary: 'Return to the standard text of a kind of mail in a language',
      description: '404 where the shop has no text of its own.',
      params: TemplateParams,
      response: { 200: TemplateView, ...problems(404) },
    },
    async handler({ tenantId, params, headers, transact }) {
      await transact((tx) => resetTemplate(tx, { tenantId, ...params }))
      return shown(params, undefined, readerOf({ headers }))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/mail-templates/:kind/:locale/preview',
    config: read,
    schema: {
      tags,
      summary: 'Show example mails with a subject and text, without saving or sending anything',
      description:
        'In the brand of the shop. 422 `placeholder_unknown` lists the known placeholders.',
      params: TemplateParams,
      body: NewTemplate,
      response: { 200: TemplatePreviews, ...problems(422) },
    },
    async handler({ db, tenantId, params: { kind, locale }, body }) {
      assertTemplate(kind, body)
      const surroundings = { ...(await surroundingsOf({ db, config }, { tenantId })), stop: null }
      const examples = examplesOf(kind, locale, { template: body, name: EXAMPLE_NAME })
      const data = examples.map(({ message, missing }) => {
        const content = contentOf({ message, locale, name: EXAMPLE_NAME, link: LINK })
        const subject = oneLine(message.title)
        const mail = { kind, locale, subject, body: textOf(content), content }
        return { subject, ...letterIn(mail, surroundings), missing }
      })
      return { data }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/mail-templates/:kind/:locale/test',
    config: write,
    schema: {
      tags,
      summary: 'Send an example of a kind of mail in a language to your own address',
      description:
        'As it is saved, with invented facts and `[Test]` before the subject. 409 `no_mail_server` without a mail server.',
      params: TemplateParams,
      response: { 200: MailTest, ...problems(409) },
    },
    async handler(request) {
      const { kind, locale } = request.params
      const { db, tenantId } = request
      const template = (await findTemplate(db, { tenantId, kind, locale })) ?? STANDARD_TEMPLATE
      return sendTest(deps, request, ({ name }) => {
        const [{ message }] = examplesOf(kind, locale, { template, name })
        const title = `[Test] ${message.title}`
        const action = message.action ?? message.title
        return { kind, locale, message: { ...message, title, action }, link: LINK }
      })
    },
  })
}

/** The first language of `Accept-Language` that mails are written in; English without one. */
function readerOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const header = headers['accept-language']
  return localeOf({ asked: null, header, fallback: 'en', spoken: LOCALES })
}

type Params = { kind: TemplateKind; locale: TemplateView['locale'] }

function shown(
  { kind, locale }: Params,
  row: TemplateRow | undefined,
  reader: string,
): TemplateView {
  const { subject, text } = row ?? STANDARD_TEMPLATE
  const [{ values }] = examplesOf(kind, locale, { template: STANDARD_TEMPLATE, name: EXAMPLE_NAME })
  const fault =
    row?.fault != null && row.faultAt ? { placeholder: row.fault, since: row.faultAt } : null
  return {
    ...{ kind, locale, name: nameOf(reader, kind), subject, text, isStandard: !row },
    placeholders: placeholdersOf(kind).map((name) => ({ name, example: values[name] ?? null })),
    fault,
  }
}
