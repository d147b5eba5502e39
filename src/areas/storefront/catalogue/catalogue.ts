import type { CatalogProduct, OrderableProduct } from '#store'
import type { ShownFrontPage } from '#tenants'
import type { Picture } from '../parts/emblems.ts'
import type { Texts } from '../texts/index.ts'
import type { Visit } from '../visit.ts'

export type Category = {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly image: Picture | null
  readonly searchTitle: string | null
  readonly searchDescription: string | null
}
export type Product = CatalogProduct
export type Plan = CatalogProduct['plans'][number]

/** What the shop window shows: every game, and every product. */
export type Window = {
  readonly categories: readonly Category[]
  readonly products: readonly Product[]
}

/** A catalogue with up to this many products or categories is shown on one page. */
const MOST = 500

/** The categories that customers see, in the order that staff arranged. */
export function categoriesFor(visit: Visit): Promise<Category[]> {
  return everyPage<Category>(visit, '/v1/store/categories?limit=100')
}

/** One category by its slug. Throws a `Refusal` with 404. */
export function categoryFor(visit: Visit, slug: string): Promise<Category> {
  return visit.call('GET', `/v1/store/categories/${encodeURIComponent(slug)}`)
}

/** The products that customers see, with the tax of this visitor's country. */
function productsFor(visit: Visit): Promise<Product[]> {
  return everyPage<Product>(visit, `/v1/store/products?limit=100${placeOf(visit)}`)
}

/** The products of a category as `productsFor` returns them, with the free capacity for each. */
export function sizesIn(visit: Visit, categoryId: string): Promise<Product[]> {
  const filter = `&categoryId=${categoryId}&room=true`
  return everyPage<Product>(visit, `/v1/store/products?limit=100${filter}${placeOf(visit)}`)
}

/** All sizes of the game of a product, the product among them; none if it is in no category. */
export async function sizesWith(
  visit: Visit,
  { categoryId }: Pick<Product, 'categoryId'>,
): Promise<Product[]> {
  return categoryId === null ? [] : sizesIn(visit, categoryId)
}

/** The whole shop window of a visitor. */
export async function windowFor(visit: Visit): Promise<Window> {
  const [categories, products] = await Promise.all([categoriesFor(visit), productsFor(visit)])
  return { categories, products }
}

/** The shop's own texts for its front page. */
export function frontPageFor(visit: Visit): Promise<ShownFrontPage> {
  return visit.call('GET', `/v1/front-page?locale=${visit.look.locale}`)
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

/** Why a product cannot be bought now, as a word and as a sentence; null if it can. */
export function missingFrom(
  { product: words }: Texts,
  { available, room, stock, plans }: Pick<Product, 'available' | 'room' | 'stock' | 'plans'>,
): { readonly word: string; readonly sentence: string } | null {
  if (available) return null
  const isFull = room === 'full' && stock !== 0 && plans.length > 0
  return isFull
    ? { word: words.room.full, sentence: words.noRoom }
    : { word: words.soldOut, sentence: words.soldOut }
}

/** The path of a product's page. */
export function pathOf(product: { slug: string }, category: { slug: string } | null): string {
  return category ? `/${category.slug}/${product.slug}` : `/p/${product.slug}`
}

/** The cheapest plan of some products by the price of a period; null if they have none. */
export function cheapest(products: readonly Product[]): Plan | null {
  const plans = products.flatMap((product) => product.plans)
  return plans.reduce<Plan | null>(
    (least, plan) => (least === null || plan.totalCents < least.totalCents ? plan : least),
    null,
  )
}
