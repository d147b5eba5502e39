import assert from 'node:assert/strict'
import type { Answer, Client } from './client.ts'

type Body = Answer['body']
type Written = {
  readonly title: string
  readonly text?: string
  readonly summary?: string
  readonly slug?: string
  readonly language?: string
}

async function accepted(answer: Promise<Answer>): Promise<Body> {
  const { status, text, body } = await answer
  assert.ok(status === 200 || status === 201, text)
  return body
}

/** Help articles as staff write them through the API. */
export function helpOf(admin: Client) {
  const at = (id: string, language = 'en') => `/v1/admin/articles/${id}/texts/${language}`
  const help = {
    at,
    category: (name: string, more: object = {}): Promise<Body> =>
      accepted(admin.post('/v1/admin/article-categories', { names: { en: name }, ...more })),
    article: (categoryId: string, more: object = {}): Promise<Body> =>
      accepted(admin.post('/v1/admin/articles', { categoryId, ...more })),
    draft: (id: string, { language, text = 'Text.', ...rest }: Written): Promise<Body> =>
      accepted(admin.put(at(id, language), { text, ...rest })),
    publish: ({ articleId, language, revision }: Body): Promise<Body> =>
      accepted(admin.post(`${at(articleId, language)}/publish`, { revision })),
    withdraw: (id: string, language?: string): Promise<Body> =>
      accepted(admin.post(`${at(id, language)}/withdraw`)),
    /** An article that readers see, in the languages that are given. */
    async published(categoryId: string, texts: Written | readonly Written[], more: object = {}) {
      const article = await help.article(categoryId, more)
      const published: Body[] = []
      for (const text of [texts].flat()) {
        published.push(await help.publish(await help.draft(article.id, text)))
      }
      return { ...article, texts: published, ...published[0], id: article.id as string } as Body
    },
  }
  return help
}
