import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { NoBody, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { renderMarkdown } from '#platform/pages/markdown.ts'
import { findArticle } from '../articles/queries.ts'
import { publishText, restoreVersion, saveText, withdrawText } from './actions.ts'
import { findText, findVersion, listVersions, type TextKey } from './queries.ts'
import { textView, versionView } from './rules.ts'
import {
  ArticlePreview,
  ArticleText,
  ArticleVersion,
  NewText,
  PreviewedText,
  Seen,
  TextParams,
  VersionParams,
} from './schema.ts'

const tags: Tag[] = ['Admin - Knowledge']
const url = '/v1/admin/articles/:id/texts/:locale'
const reading = { access: 'admin', permission: 'articles:read' } as const
const writing = { access: 'admin', permission: 'articles:write' } as const
const outdated =
  '409 `draft_outdated` if the text has changed since `revision`: the caller has not seen that change.'

type Params = { readonly id: string; readonly locale: TextKey['locale'] }

function keyOf({ tenantId, params }: FastifyRequest): TextKey {
  const { id: articleId, locale } = params as Params
  return { tenantId, articleId, locale }
}

const existing = (request: FastifyRequest) => findText(request.db, keyOf(request))

/**
 * Whether the article exists, so that it can be written in a language that it does not have yet.
 */
function writable({ db, tenantId, params }: FastifyRequest) {
  return findArticle(db, { tenantId, id: (params as Params).id })
}

/** How staff write a help article in a language, and what readers see of it. */
export const articleTextRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'Get the draft of a help article in a language',
      params: TextParams,
      response: { 200: ArticleText, ...problems(404) },
    },
    async handler(request) {
      const text = await existing(request)
      if (!text) throw notFound('Text')
      return textView(text)
    },
  })

  app.route({
    method: 'PUT',
    url,
    config: { ...writing, exists: writable },
    schema: {
      tags,
      summary: 'Write the draft of a help article in a language',
      description:
        'Readers see it when it is published. Without `slug` a new text gets one from its title, and another keeps its own. A new slug counts at once; the former one redirects to it. 409 `slug_taken`.',
      params: TextParams,
      body: NewText,
      response: { 200: ArticleText, ...problems(404, 409) },
    },
    handler: (request) =>
      request.transact(async (tx) =>
        textView(await saveText(tx, keyOf(request), request.body, request.now)),
      ),
  })

  app.route({
    method: 'POST',
    url: `${url}/publish`,
    config: { ...writing, exists: existing },
    schema: {
      tags,
      summary: 'Publish the draft of a help article in a language',
      description: `It becomes a version, which never changes and which readers see at once. ${outdated}`,
      params: TextParams,
      body: Seen,
      response: { 200: ArticleText, ...problems(404, 409) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const { caller, body, now } = request
        return textView(await publishText(tx, caller, keyOf(request), body, now))
      }),
  })

  app.route({
    method: 'POST',
    url: `${url}/withdraw`,
    config: { ...writing, exists: existing },
    schema: {
      tags,
      summary: 'Withdraw a help article in a language',
      description:
        'It leaves the pages, the search and the sitemap at once. Draft and versions stay. One that readers do not see stays as it is.',
      params: TextParams,
      body: NoBody,
      response: { 200: ArticleText, ...problems(404) },
    },
    handler: (request) =>
      request.transact(async (tx) => textView(await withdrawText(tx, keyOf(request), request.now))),
  })

  app.route({
    method: 'GET',
    url: `${url}/versions`,
    config: reading,
    schema: {
      tags,
      summary: 'List the published versions of a help article in a language, newest first',
      params: TextParams,
      querystring: PageQuery,
      response: { 200: Page(ArticleVersion), ...problems(404) },
    },
    async handler(request) {
      if (!(await existing(request))) throw notFound('Text')
      const found = await listVersions(request.db, keyOf(request), request.query)
      return { ...found, data: found.data.map(versionView) }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/versions/:number/restore`,
    config: {
      ...writing,
      exists: (request) => {
        const { number } = request.params as { number: number }
        return findVersion(request.db, keyOf(request), number)
      },
    },
    schema: {
      tags,
      summary: 'Publish an earlier version of a help article again',
      description: `It becomes a new version. A draft that was never published stays. ${outdated}`,
      params: VersionParams,
      body: Seen,
      response: { 200: ArticleText, ...problems(404, 409) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const { caller, body, params, now } = request
        const asked = { ...body, number: params.number }
        return textView(await restoreVersion(tx, caller, keyOf(request), asked, now))
      }),
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/article-previews',
    config: writing,
    schema: {
      tags,
      summary: 'Render Markdown as a help article shows it',
      description: 'Nothing is stored. HTML, pictures and scripts of the text are removed.',
      body: PreviewedText,
      response: { 200: ArticlePreview },
    },
    handler: async ({ body }) => ({ html: renderMarkdown(body.text).html.text }),
  })
}
