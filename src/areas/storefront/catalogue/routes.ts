import { Type } from 'typebox'
import type { Routes } from '#platform/http/index.ts'
import { guarded } from '../guarded.ts'
import { missingPage } from '../parts/problems.ts'
import { sendPage, visitsOf } from '../visit.ts'
import { categoriesFor, productFor, productsFor } from './catalogue.ts'
import { categoryPage } from './category.ts'
import { homePage } from './home.ts'
import { productPage } from './product.ts'

/** A first segment that a category may have: the API's own never is one. */
const CATEGORY = '/:category(^(?!v1$|assets$|docs$)[a-z0-9-]+$)'
const Params = Type.Object({ category: Type.String(), product: Type.String() })
const CategoryParams = Type.Object({ category: Type.String() })
const ProductParams = Type.Object({ product: Type.String() })

/** The shop window: front page, games, products. */
export const catalogueRoutes: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const page = guarded(app, deps, { access: 'public', hidden: true })

  page('GET', '/', async (request, reply) => {
    const visit = await visitOf(request, reply)
    const [categories, products] = await Promise.all([categoriesFor(visit), productsFor(visit)])
    return sendPage(request, reply, homePage(visit, { categories, products }))
  })

  page(
    'GET',
    CATEGORY,
    async (request, reply) => {
      const { category: slug } = request.params as { category: string }
      const visit = await visitOf(request, reply)
      const category = (await categoriesFor(visit)).find((it) => it.slug === slug)
      if (!category) return sendPage(request, reply.code(404), missingPage(visit))
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
        productFor(visit, name ?? ''),
      ])
      const category = categories.find((it) => it.slug === slug && it.id === product.categoryId)
      if (!category) return sendPage(request, reply.code(404), missingPage(visit))
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
}
