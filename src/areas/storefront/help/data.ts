import { Refusal, type Visit } from '../visit.ts'

export type HelpCategory = {
  readonly id: string
  readonly slug: string
  readonly language: string
  readonly name: string
  readonly description: string | null
}

export type HelpArticleSummary = {
  readonly id: string
  readonly slug: string
  readonly language: string
  readonly title: string
  readonly summary: string | null
  readonly categoryId: string
  readonly languages: readonly {
    readonly language: string
    readonly slug: string
    readonly updatedAt: string
  }[]
  readonly updatedAt: string
}

export type HelpArticle = HelpArticleSummary & {
  readonly text: string
  readonly category: HelpCategory
}

export type Listed<T> = { readonly data: readonly T[]; readonly nextCursor: string | null }

type Call = Pick<Visit, 'call'>

/** A page of the articles of a shop, or of one of its categories, in their order. */
export function articlesOf({ call }: Call, where: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ limit: '100', ...where })
  return call<Listed<HelpArticleSummary>>('GET', `/v1/knowledge/articles?${query.toString()}`)
}

export async function categoriesOf({ call }: Call): Promise<readonly HelpCategory[]> {
  const path = '/v1/knowledge/categories?limit=100'
  return (await call<Listed<HelpCategory>>('GET', path)).data
}

/** The category with a slug; null for none. */
export function categoryAt({ call }: Call, slug: string): Promise<HelpCategory | null> {
  return call<HelpCategory>('GET', `/v1/knowledge/categories/${slug}`).catch(nullIfMissing)
}

/** The article with a slug; null for none. */
export function articleAt({ call }: Call, slug: string): Promise<HelpArticle | null> {
  return call<HelpArticle>('GET', `/v1/knowledge/articles/${slug}`).catch(nullIfMissing)
}

export async function foundBy(
  { call }: Call,
  words: string,
): Promise<readonly HelpArticleSummary[]> {
  const path = `/v1/knowledge/search?${new URLSearchParams({ q: words, limit: '20' }).toString()}`
  return (await call<Listed<HelpArticleSummary>>('GET', path)).data
}

/** Everything that every visitor can read, for the sitemap. */
export async function publicHelp({ call }: Call) {
  const asVisitor: Visit['call'] = (method, path) => call(method, path, { token: null })
  const categories = await categoriesOf({ call: asVisitor })
  const articles: HelpArticleSummary[] = []
  let cursor: string | null = null
  do {
    const where = cursor === null ? {} : { cursor }
    const page: Listed<HelpArticleSummary> = await articlesOf({ call: asVisitor }, where)
    articles.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null && articles.length < MOST_IN_SITEMAP)
  return { categories, articles }
}

/** A sitemap has at most 50 000 addresses, those of the catalogue among them. */
const MOST_IN_SITEMAP = 40_000

function nullIfMissing(error: unknown): null {
  if (error instanceof Refusal && (error.status === 404 || error.status === 400)) return null
  throw error
}
