import { Type } from 'typebox'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { guarded } from '../guarded.ts'
import { ownPath, Refusal, recordReferral, sendPage, visitsOf } from '../visit.ts'
import { categoriesFor, pathOf, productFor, productsFor, windowFor } from './catalogue.ts'
import { categoryPage } from './category.ts'
import { comparePage } from './compare.ts'
import { countryPage } from './country.ts'
import { homePage } from './home.ts'
import { missingPage } from './missing.ts'
import { productPage } from './product.ts'
import { robotsOf, sitemapOf } from './sitemap.ts'

/** A first segment that a category may have: the API's own never is one. */
const CATEGORY = '/:category(^(?!v1$|assets$|docs$)[a-z0-9-]+$)'
const FOR_AN_HOUR = 'public, max-age=3600'
const Params = Type.Object({ category: Type.String(), product: Type.String() })
const CategoryParams = Type.Object({ category: Type.String() })
const ProductParams = Type.Object({ product: Type.String() })

/** The shop window: front page, games, products. */
export const catalogueRoutes: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page('GET', '/', async (request, reply) => {
    const visit = await visitOf(request, reply)
    return sendPage(request, reply, homePage(visit, await windowFor(visit)))
  })

  page(
    'GET',
    CATEGORY,
    async (request, reply) => {
      const { category: slug } = request.params as { category: string }
      const visit = await visitOf(request, reply)
      const category = (await categoriesFor(visit)).find((it) => it.slug === slug)
      if (!category) return sendPage(request, reply.code(404), await missingPage(visit))
      const products = await productsFor(visit, category.id)
      return sendPage(request, reply, categoryPage(visit, category, products))
    },
    { params: CategoryParams },
  )

  page(
    'GET',
    `${CATEGORY}/:product`,
    async (request, reply) => {
      const { category: slug, product: name } = request.params as Record<string, string>
      const visit = await visitOf(request, reply)
      const [categories, product] = await Promise.all([
        categoriesFor(visit),
        productFor(visit, name ?? '').catch(nullIfMissing),
      ])
      if (!product) return sendPage(request, reply.code(404), await missingPage(visit, slug))
      const category = categories.find(({ id }) => id === product.categoryId) ?? null
      // The product was moved to another category, or its category is hidden: redirect to its only address.
      if (category?.slug !== slug) return reply.redirect(pathOf(product, category), 303)
      return sendPage(request, reply, productPage(visit, { product, category }))
    },
    { params: Params },
  )

  // What stands in no category, or in a hidden one, is reached by its own link.
  page(
    'GET',
    '/p/:product',
    async (request, reply) => {
      const { product: name = '' } = request.params as Record<string, string>
      const visit = await visitOf(request, reply)
      const product = await productFor(visit, name)
      return sendPage(request, reply, productPage(visit, { product, category: null }))
    },
    { params: ProductParams },
  )

  page(
    'GET',
    '/compare/:category',
    async (request, reply) => {
      const { category: slug } = request.params as { category: string }
      const visit = await visitOf(request, reply)
      const category = (await categoriesFor(visit)).find((it) => it.slug === slug)
      if (!category) return sendPage(request, reply.code(404), await missingPage(visit))
      const products = await productsFor(visit, category.id)
      if (products.length < 2) return reply.redirect(`/${category.slug}`, 303)
      return sendPage(request, reply, comparePage(visit, category, products))
    },
    { params: CategoryParams },
  )

  page('GET', '/country', async (request, reply) => {
    const { next } = request.query as Record<string, unknown>
    return sendPage(request, reply, countryPage(await visitOf(request, reply), ownPath(next, '/')))
  })

  page('GET', '/r/:code', async (request, reply) => {
    const { code = '' } = request.params as Record<string, string>
    const { call, session } = await visitOf(request, reply)
    if (!session) await recordReferral(call, { request, reply }, code)
    return reply.redirect('/', 303)
  })

  page('GET', '/sitemap.xml', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const shown = await windowFor(visit)
    reply.header('cache-control', FOR_AN_HOUR)
    return sendFile(reply, 'application/xml', sitemapOf(visit, shown))
  })

  page('GET', '/robots.txt', async (request, reply) => {
    reply.header('cache-control', FOR_AN_HOUR)
    return sendFile(reply, 'text/plain; charset=utf-8', robotsOf(await visitOf(request, reply)))
  })
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Refusal && error.status === 404) return null
  throw error
}
