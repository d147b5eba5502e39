import { Type } from 'typebox'
import { Body, Line } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { guarded } from '../guarded.ts'
import { publicHelp } from '../help/data.ts'
import { sharedPages } from '../shared-pages.ts'
import { ownPath, Refusal, recordReferral, sendPage, visitsOf } from '../visit.ts'
import {
  categoriesFor,
  categoryFor,
  frontPageFor,
  pathOf,
  productFor,
  sizesIn,
  sizesWith,
  windowFor,
} from './catalogue.ts'
import { categoryPage, firstChoice } from './category.ts'
import { comparePage } from './compare.ts'
import { countryPage } from './country.ts'
import { homePage } from './home.ts'
import { productPage } from './product.ts'
import { searchPage, wordsIn } from './search.ts'
import { robotsOf, sitemapOf } from './sitemap.ts'

/** The first segment of a path as a category may have it: never one that the API uses. */
const CATEGORY = '/:category(^(?!v1$|assets$|docs$)[a-z0-9-]+$)'
const FOR_AN_HOUR = 'public, max-age=3600'
const Params = Type.Object({ category: Type.String(), product: Type.String() })
const Referral = Body({ code: Line(64), next: Type.String({ maxLength: 600 }) })
const CategoryParams = Type.Object({ category: Type.String() })
const ProductParams = Type.Object({ product: Type.String() })

/** The shop window: front page, games, products. */
export const catalogueRoutes: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const shared = sharedPages(app, deps).page
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page('GET', '/', (request, reply) =>
    shared(request, reply, async (visit) => {
      const words = wordsIn((request.query as Record<string, unknown>).q)
      if (words) return { page: searchPage(visit, await windowFor(visit), words) }
      const [shown, front] = await Promise.all([windowFor(visit), frontPageFor(visit)])
      return { page: homePage(visit, shown, front) }
    }),
  )

  page(
    'GET',
    CATEGORY,
    (request, reply) => {
      const { category: slug } = request.params as { category: string }
      return shared(request, reply, async (visit) => {
        const category = await categoryFor(visit, slug).catch(nullIfMissing)
        if (!category) return { missing: null }
        const sizes = await sizesIn(visit, category.id)
        const first = firstChoice(sizes)
        const chosen = first && (await productFor(visit, first.slug))
        return { page: categoryPage(visit, { category, sizes, chosen }) }
      })
    },
    { params: CategoryParams },
  )

  page(
    'GET',
    `${CATEGORY}/:product`,
    (request, reply) => {
      const { category: slug = '', product: name = '' } = request.params as Record<string, string>
      return shared(request, reply, async (visit) => {
        const [categories, product] = await Promise.all([
          categoriesFor(visit),
          productFor(visit, name).catch(nullIfMissing),
        ])
        if (!product) {
          return { missing: categories.some((it) => it.slug === slug) ? slug : null }
        }
        const category = categories.find(({ id }) => id === product.categoryId) ?? null
        // The product was moved to another category, or its category is hidden: redirect to its only address.
        if (category?.slug !== slug) return { location: pathOf(product, category) }
        const sizes = await sizesWith(visit, product)
        return { page: productPage(visit, { product, category, sizes }) }
      })
    },
    { params: Params },
  )

  // Products without a category, or in a hidden one, are reachable only by their own link.
  page(
    'GET',
    '/p/:product',
    (request, reply) => {
      const { product: name = '' } = request.params as Record<string, string>
      return shared(request, reply, async (visit) => {
        const [categories, product] = await Promise.all([
          categoriesFor(visit),
          productFor(visit, name).catch(nullIfMissing),
        ])
        if (!product) return { missing: null }
        const category = categories.find(({ id }) => id === product.categoryId)
        if (category) return { location: pathOf(product, category) }
        return { page: productPage(visit, { product, category: null, sizes: [] }) }
      })
    },
    { params: ProductParams },
  )

  page(
    'GET',
    '/compare/:category',
    (request, reply) => {
      const { category: slug } = request.params as { category: string }
      return shared(request, reply, async (visit) => {
        const category = await categoryFor(visit, slug).catch(nullIfMissing)
        if (!category) return { missing: null }
        const products = await sizesIn(visit, category.id)
        if (products.length < 2) return { location: `/${category.slug}` }
        return { page: comparePage(visit, category, products) }
      })
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
    const asks = !session && (await recordReferral(call, { request, reply }, { code }))
    return reply.redirect(asks ? `/?ref=${encodeURIComponent(code)}` : '/', 303)
  })

  page(
    'POST',
    '/r',
    async (request, reply) => {
      const { code, next } = request.body as { code: string; next: string }
      const { call, session } = await visitOf(request, reply)
      if (!session) await recordReferral(call, { request, reply }, { code, hasConsent: true })
      return reply.redirect(ownPath(next, '/'), 303)
    },
    { body: Referral },
  )

  page('GET', '/sitemap.xml', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const [shown, help] = await Promise.all([windowFor(visit), publicHelp(visit)])
    reply.header('cache-control', FOR_AN_HOUR)
    return sendFile(reply, 'application/xml', sitemapOf(visit, shown, help))
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
