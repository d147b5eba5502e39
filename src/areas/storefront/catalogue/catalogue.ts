import type { CatalogProduct, OrderableProduct } from '#store'
import type { Picture } from '../parts/emblems.ts'
import type { Visit } from '../visit.ts'

export type Category = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly image: Picture | null
}
export type Product = CatalogProduct
export type Plan = CatalogProduct['plans'][number]

/** What the shop window shows: every game, and every product. */
export type Window = {
  readonly categories: readonly Category[]
  readonly products: readonly Product[]
}

/** A catalogue is shown on one page as long as it has no more than this. */
const MOST = 500

/** The categories that customers see, as they were arranged. */
export function categoriesFor(visit: Visit): Promise<Category[]> {
  return everyPage<Category>(visit, '/v1/store/categories?limit=100')
}

/** The products that customers see, taxed for where this visitor lives. */
export function productsFor(visit: Visit, categoryId?: string): Promise<Product[]> {
  const filter = categoryId ? `&categoryId=${categoryId}` : ''
  return everyPage<Product>(visit, `/v1/store/products?limit=100${filter}${placeOf(visit)}`)
}

/** The whole shop window of a visitor. */
export async function windowFor(visit: Visit): Promise<Window> {
  const [categories, products] = await Promise.all([categoriesFor(visit), productsFor(visit)])
  return { categories, products }
}

/** The categories that have a product. */
export function filledOf({ categories, products }: Window): Category[] {
  return categories.filter(({ id }) => products.some((it) => it.categoryId === id))
}

/** One product with its order form. Throws a `Refusal` with 404. */
export function productFor(visit: Visit, slug: string): Promise<OrderableProduct> {
  const place = placeOf(visit).replace('&', '?')
  return visit.call('GET', `/v1/store/products/${encodeURIComponent(slug)}${place}`)
}

function placeOf({ country }: Visit): string {
  return country ? `&country=${country}` : ''
}

async function everyPage<T>(visit: Visit, path: string): Promise<T[]> {
  const all: T[] = []
  let cursor: string | null = null
  do {
    const after: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const page: { data: T[]; nextCursor: string | null } = await visit.call('GET', path + after)
    all.push(...page.data)
    cursor = page.nextCursor
  } while (cursor && all.length < MOST)
  return all
}

/** Whether a product is out of stock, or none of its plans can be bought. */
export function isSoldOut({ stock, plans }: Pick<Product, 'stock' | 'plans'>): boolean {
  return stock === 0 || plans.length === 0
}

/** The path of a product's page. */
export function pathOf(product: { slug: string }, category: { slug: string } | null): string {
  return category ? `/${category.slug}/${product.slug}` : `/p/${product.slug}`
}

/** The cheapest plan of some products by what a period costs; null where they have none. */
export function cheapest(products: readonly Product[]): Plan | null {
  const plans = products.flatMap((product) => product.plans)
  return plans.reduce<Plan | null>(
    (least, plan) => (least === null || plan.totalCents < least.totalCents ? plan : least),
    null,
  )
}
