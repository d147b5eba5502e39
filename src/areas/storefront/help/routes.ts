import { Type } from 'typebox'
import { Body, Id, Locale, OneOf } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { guarded } from '../guarded.ts'
import { type Answer, sharedPages } from '../shared-pages.ts'
import { sendPage, type Visit, visitsOf } from '../visit.ts'
import {
  articleAt,
  articlesOf,
  categoriesOf,
  categoryAt,
  foundBy,
  type HelpArticle,
  type HelpCategory,
} from './data.ts'
import { helpArticlePage, helpCategoryPage, helpPage, helpSearchPage, wordsIn } from './page.ts'

const SLUG = '/help/:slug(^[a-z0-9-]+$)'
const SlugParams = Type.Object({ slug: Type.String() })
const RELATED = 5
const Answered = Body({ id: Id, language: Locale, helpful: OneOf(['yes', 'no']) })

type Query = Readonly<Record<string, unknown>>

/** The help of the shop, which needs no script. */
export const helpPages: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const shared = sharedPages(app, deps).page
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page('GET', '/help', (request, reply) =>
    shared(request, reply, async (visit) => {
      const categories = await categoriesOf(visit)
      if (categories.length === 0) return { missing: null }
      return { page: helpPage(visit, { categories, articles: (await articlesOf(visit, {})).data }) }
    }),
  )

  page('GET', '/help/search', async (request, reply) => {
    const words = wordsIn((request.query as Query).q)
    const visit = await visitOf(request, reply)
    const found = words === '' ? [] : await foundBy(visit, words)
    return sendPage(request, reply, helpSearchPage(visit, words, found))
  })

  page(
    'GET',
    SLUG,
    (request, reply) => {
      const { slug } = request.params as { slug: string }
      const query = request.query as Query
      return shared(request, reply, async (visit) => {
        const category = await categoryAt(visit, slug)
        if (category) return answerOf(visit, { category, slug, query })
        const article = await articleAt(visit, slug)
        return article ? articleAnswer(visit, { article, slug, query }) : { missing: null }
      })
    },
    { params: SlugParams },
  )

  page(
    'POST',
    `${SLUG}/feedback`,
    async (request, reply) => {
      const { slug } = request.params as { slug: string }
      const { id, language, helpful } = request.body as { [name in string]: string }
      const { call } = await visitOf(request, reply)
      const body = { language, helpful: helpful === 'yes' }
      await call('POST', `/v1/knowledge/articles/${id}/feedback`, { body })
      return reply.redirect(`/help/${slug}?answered=yes#feedback`, 303)
    },
    { params: SlugParams, body: Answered },
  )
}

type Asked = { readonly slug: string; readonly query: Query }

async function answerOf(
  visit: Visit,
  { category, slug, query }: Asked & { category: HelpCategory },
): Promise<Answer> {
  if (category.slug !== slug) return { location: `/help/${category.slug}`, permanent: true }
  const cursor = typeof query.cursor === 'string' ? { cursor: query.cursor } : {}
  const where = { categoryId: category.id, limit: '50', ...cursor }
  return { page: helpCategoryPage(visit, category, await articlesOf(visit, where)) }
}

async function articleAnswer(
  visit: Visit,
  { article, slug, query }: Asked & { article: HelpArticle },
): Promise<Answer> {
  if (article.slug !== slug) {
    // The address in another language, or a former one.
    const permanent = !article.languages.some((it) => it.slug === slug)
    return { location: `/help/${article.slug}`, permanent }
  }
  const where = { categoryId: article.categoryId, limit: String(RELATED + 1) }
  const others = (await articlesOf(visit, where)).data.filter(({ id }) => id !== article.id)
  const related = others.slice(0, RELATED)
  return { page: helpArticlePage(visit, { article, related, answered: query.answered === 'yes' }) }
}
