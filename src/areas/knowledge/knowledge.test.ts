import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { helpOf } from '#test/help.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'
import { publishText } from './texts/actions.ts'

type Body = Answer['body']

const app = await testApp(null)
const admin = await person(app, { admin: true })
const ada = await person(app)
const writer = await person(app, { permissions: ['articles:read', 'articles:write'] })
const reader = await person(app, { permissions: ['articles:read'] })
const elsewhere = await otherTenant(app, 'knowledge.test')
const foreigner = await person(app, { tenantId: elsewhere, admin: true })
const help = helpOf(writer)
const { id: categoryId } = await help.category('Getting started')

const french = { headers: { 'accept-language': 'fr' } }

async function read(idOrSlug: string, who: Client = app, options?: object): Promise<Answer> {
  return who.request('GET', `/v1/knowledge/articles/${idOrSlug}`, undefined, options)
}

async function listed(who: Client = app): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  do {
    const { body } = await who.get(`/v1/knowledge/articles?limit=2${cursor}`)
    ids.push(...body.data.map(({ id }: Body) => id))
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  return ids
}

async function found(q: string, who: Client = app, options?: object): Promise<string[]> {
  const path = `/v1/knowledge/search?${new URLSearchParams({ q }).toString()}`
  const answer = await who.request('GET', path, undefined, options)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ id }: Body) => id)
}

test('support A83: a draft is invisible everywhere, and a withdrawn article leaves everything at once', async () => {
  const { id } = await help.article(categoryId)
  const draft = await help.draft(id, { title: 'Zephyr settings', text: 'About the zephyr.' })
  const seen = async (who: Client = app) => ({
    byId: (await read(id, who)).status,
    bySlug: (await read('zephyr-settings', who)).status,
    listed: (await listed(who)).includes(id),
    found: (await found('zephyr', who)).includes(id),
  })
  const invisible = { byId: 404, bySlug: 404, listed: false, found: false }
  assert.deepEqual(await seen(), invisible)
  assert.deepEqual(await seen(writer), invisible, 'for staff as readers too')
  assert.equal(draft.liveVersion, null)
  assert.equal(draft.slug, 'zephyr-settings')

  const live = await help.publish(draft)
  assert.deepEqual([live.liveVersion, live.hasChanges], [1, false])
  assert.deepEqual(await seen(), { byId: 200, bySlug: 200, listed: true, found: true })
  assert.deepEqual(await seen(foreigner), invisible, 'in another shop')
  await help.draft(id, { title: 'Mistral settings', text: 'About the mistral.' })
  assert.equal((await read(id)).body.title, 'Zephyr settings', 'a draft changes nothing')
  assert.deepEqual(await found('mistral'), [])

  await help.withdraw(id)
  assert.deepEqual(await seen(), invisible)
  const again = await help.publish((await writer.get(help.at(id))).body)
  assert.equal(again.liveVersion, 2)
  assert.deepEqual(await found('mistral'), [id])
  assert.deepEqual(await found('zephyr'), [])
  assert.equal((await writer.delete(`/v1/admin/articles/${id}`)).status, 200)
  assert.deepEqual(await seen(), invisible)
  assert.deepEqual(await found('mistral'), [])
})

test('support A84: of two editors who have read the same text, the second publication is refused', async () => {
  const { id } = await help.article(categoryId)
  const draft = await help.draft(id, { title: 'Two editors' })
  await help.publish(draft)
  const second = await writer.post(`${help.at(id)}/publish`, { revision: draft.revision })
  assert.deepEqual([second.status, second.body.code], [409, 'draft_outdated'])
  // The draft of the other is never published unseen.
  const mine = await help.draft(id, { title: 'Two editors', text: 'Mine.' })
  await help.draft(id, { title: 'Two editors', text: 'Theirs.' })
  const unseen = await writer.post(`${help.at(id)}/publish`, { revision: mine.revision })
  assert.equal(unseen.status, 409)
  assert.equal((await read(id)).body.text, 'Text.')
})

test('support A84: a publication that waits for another one is refused', async () => {
  const { id } = await help.article(categoryId)
  const { revision } = await help.draft(id, { title: 'At once' })
  const db = app.deps.database.of(app.tenantId)
  const key = { tenantId: app.tenantId, articleId: id as string, locale: 'en' as const }
  const now = app.deps.clock.now()
  const waiting = await transact(db, async (tx) => {
    await publishText(tx, writer, key, { revision }, now)
    const other = writer.post(`${help.at(id)}/publish`, { revision })
    return { other }
  })
  assert.equal((await waiting.other).body.code, 'draft_outdated')
  const { body } = await writer.get(`${help.at(id)}/versions`)
  assert.equal(body.data.length, 1)
})

test('an edit of a draft with an older ETag is refused', async () => {
  const { id } = await help.article(categoryId)
  await help.draft(id, { title: 'Tags' })
  const { etag = '' } = (await writer.get(help.at(id))).headers
  const put = (text: string) =>
    writer.request('PUT', help.at(id), { title: 'Tags', text }, { headers: { 'if-match': etag } })
  assert.equal((await put('One')).status, 200)
  assert.equal((await put('Two')).status, 412)
})

test('support A85: old slugs lead to the article or category, and are never given to another one', async () => {
  const article = await help.published(categoryId, { title: 'First name', slug: 'first-name' })
  await help.draft(article.id, { title: 'First name', slug: 'second-name' })
  const { status, body } = await read('first-name')
  assert.deepEqual([status, body.id, body.slug], [200, article.id, 'second-name'])
  const other = await help.article(categoryId)
  const taken = async (path: string, slug: string) =>
    writer.request('PUT', path, { title: 'Other', text: '', slug })
  for (const slug of ['first-name', 'second-name', 'search', 'fr']) {
    const answer = await taken(help.at(other.id), slug)
    assert.deepEqual([answer.status, answer.body.code], [409, 'slug_taken'], slug)
  }
  const category = await help.category('Named')
  const named = await help.published(category.id, { title: 'In a named category' })
  const renamed = await writer.patch(`/v1/admin/article-categories/${category.id}`, {
    slug: 'renamed',
  })
  assert.equal(renamed.body.slug, 'renamed')
  const shown = await app.get('/v1/knowledge/categories/named')
  assert.deepEqual([shown.body.id, shown.body.slug], [named.categoryId, 'renamed'])
  assert.equal((await taken(help.at(other.id), 'named')).status, 409, 'a slug of a category')
  // An article that was never published gives the addresses back that it does not use.
  await help.draft(other.id, { title: 'Other', slug: 'for-a-moment' })
  await help.draft(other.id, { title: 'Other', slug: 'for-longer' })
  const third = await help.article(categoryId)
  assert.equal((await taken(help.at(third.id), 'for-a-moment')).status, 200)
  assert.equal((await taken(help.at(third.id), 'for-longer')).status, 409)
})

test('support A85: articles for customers are seen by people who are signed in only', async () => {
  const { id: own } = await help.category('For customers')
  const { id } = await help.published(
    own,
    { title: 'Quokka access', text: 'The quokka.' },
    { audience: 'customers' },
  )
  const seen = async (who: Client) => ({
    article: (await read(id, who)).status,
    category: (await who.get('/v1/knowledge/categories/for-customers')).status,
    listed: (await listed(who)).includes(id),
    found: (await found('quokka', who)).includes(id),
    feedback: (
      await who.post(`/v1/knowledge/articles/${id}/feedback`, { language: 'en', helpful: true })
    ).status,
  })
  const nothing = { article: 404, category: 404, listed: false, found: false, feedback: 404 }
  const everything = { article: 200, category: 200, listed: true, found: true, feedback: 200 }
  assert.deepEqual(await seen(app), nothing)
  assert.deepEqual(await seen(ada), everything)
  assert.deepEqual(await seen(foreigner), nothing)
  await writer.patch(`/v1/admin/articles/${id}`, { audience: 'public' })
  assert.deepEqual(await seen(app), everything, 'it counts at once')
})

test('a version never changes, and an earlier one is published again as a new one', async () => {
  const { id } = await help.article(categoryId)
  await help.publish(await help.draft(id, { title: 'One', text: 'First.' }))
  const second = await help.publish(await help.draft(id, { title: 'Two', text: 'Second.' }))
  const restore = (number: number, revision: number) =>
    writer.post(`${help.at(id)}/versions/${number}/restore`, { revision })
  assert.equal((await restore(1, second.revision - 1)).body.code, 'draft_outdated')
  assert.equal((await restore(9, second.revision)).status, 404)
  const restored = await restore(1, second.revision)
  assert.deepEqual(
    [restored.status, restored.body.liveVersion, restored.body.title, restored.body.hasChanges],
    [200, 3, 'One', false],
  )
  assert.equal((await read(id)).body.text, 'First.')
  const unpublished = await help.draft(id, { title: 'Three', text: 'Not out yet.' })
  const kept = await restore(2, unpublished.revision)
  assert.deepEqual([kept.body.text, kept.body.hasChanges], ['Not out yet.', true])
  assert.equal((await read(id)).body.text, 'Second.')
  const { body } = await writer.get(`${help.at(id)}/versions`)
  assert.deepEqual(
    body.data.map(({ number, text }: Body) => [number, text]),
    [
      [4, 'Second.'],
      [3, 'First.'],
      [2, 'Second.'],
      [1, 'First.'],
    ],
  )
  await assert.rejects(
    app.deps.database.execute(`update knowledge.versions set title = 'Forged'`),
    /permission denied/,
  )
})

test('publishing what readers see already makes no new version', async () => {
  const article = await help.published(categoryId, { title: 'The same' })
  const again = await help.publish((await writer.get(help.at(article.id))).body)
  assert.equal(again.liveVersion, 1)
  assert.equal(again.revision, article.revision)
})

test('a reader gets their language, else that of the shop', async () => {
  const article = await help.published(categoryId, [
    { title: 'Ports', slug: 'ports' },
    { title: 'Les ports', slug: 'les-ports', language: 'fr' },
  ])
  const inFrench = (await read('ports', app, french)).body
  assert.deepEqual(
    [inFrench.language, inFrench.title, inFrench.slug],
    ['fr', 'Les ports', 'les-ports'],
  )
  assert.deepEqual(
    inFrench.languages.map(({ language, slug }: Body) => [language, slug]),
    [
      ['en', 'ports'],
      ['fr', 'les-ports'],
    ],
  )
  const german = { headers: { 'accept-language': 'de' } }
  assert.equal((await read('les-ports', app, german)).body.language, 'en')
  await help.withdraw(article.id, 'fr')
  assert.equal((await read('ports', app, french)).body.language, 'en')
  assert.deepEqual((await read('ports')).body.languages.length, 1)
})

test('an article is listed where staff have put it', async () => {
  const { id: own } = await help.category('Ordered')
  const [one, two, three] = [
    await help.published(own, { title: 'Third place' }, { position: 3 }),
    await help.published(own, { title: 'First place' }, { position: 1 }),
    await help.published(own, { title: 'Second place' }, { position: 2 }),
  ]
  const order = async () =>
    (await app.get(`/v1/knowledge/articles?categoryId=${own}`)).body.data.map(({ id }: Body) => id)
  assert.deepEqual(await order(), [two?.id, three?.id, one?.id])
  await writer.patch(`/v1/admin/articles/${one?.id}`, { position: 0 })
  assert.deepEqual(await order(), [one?.id, two?.id, three?.id])
  const all = await listed()
  assert.equal(new Set(all).size, all.length, 'no doubles between pages')
})

test('a category with articles cannot be archived, and comes back with an article of it', async () => {
  const { id: own } = await help.category('Short-lived')
  const { id } = await help.article(own)
  const path = `/v1/admin/article-categories/${own}`
  const refused = await writer.delete(path)
  assert.deepEqual([refused.status, refused.body.code], [409, 'category_in_use'])
  await writer.delete(`/v1/admin/articles/${id}`)
  assert.equal((await writer.delete(path)).status, 200)
  assert.equal((await writer.get(path)).status, 404)
  const late = await writer.post('/v1/admin/articles', { categoryId: own })
  assert.deepEqual([late.status, late.body.details[0].path], [400, 'categoryId'])
  const archived = (await writer.get('/v1/admin/articles?archived=true')).body.data
  assert.ok(archived.some((it: Body) => it.id === id))
  assert.equal((await writer.post(`/v1/admin/articles/${id}/restore`)).status, 200)
  assert.equal((await writer.get(path)).status, 200)
})

test('each permission opens its own operations, and another shop sees nothing', async () => {
  const { id } = await help.published(categoryId, { title: 'Guarded' })
  const draft = help.at(id)
  assert.equal((await reader.get(draft)).status, 200)
  const put = { title: 'Guarded', text: 'Changed.' }
  for (const path of [draft]) assert.equal((await reader.put(path, put)).status, 403)
  assert.equal((await ada.get('/v1/admin/articles')).status, 403)
  const readKey = await apiKey(app, writer, { permission: 'read' })
  assert.equal((await readKey.put(draft, put)).status, 403)
  assert.equal((await foreigner.get(draft)).status, 404)
  assert.equal((await foreigner.put(draft, put)).status, 404)
  assert.equal((await foreigner.post(`${draft}/withdraw`)).status, 404)
  const other = await foreigner.post('/v1/admin/articles', { categoryId })
  assert.equal(other.status, 400, 'a category of another shop')
  assert.equal((await admin.get(draft)).status, 200)
})

test('the preview is what readers get, without HTML of the author', async () => {
  const text =
    '# Title\n<script>alert(1)</script>\n[link](javascript:alert(1)) ![x](https://x.test/a.png)'
  const { body } = await writer.post('/v1/admin/article-previews', { text })
  assert.match(body.html, /<h2 id="part-1">Title<\/h2>/)
  assert.doesNotMatch(body.html, /<script|javascript:"|<img|href="javascript/)
})

test('support A82: hostile Markdown comes back as it was written, and is shown without markup of the author', async () => {
  const text = '<img src=x onerror=alert(1)>\n[x](data:text/html,1) ![p](https://x.test/p.png)'
  const { id } = await help.published(categoryId, { title: 'Hostile <b>title</b>', text })
  assert.equal((await read(id)).body.text, text)
  const page = await fetch(`${app.url}/help/hostile-b-title-b`)
  const shown = await page.text()
  assert.equal(page.status, 200)
  assert.match(shown, /<h1>Hostile &lt;b&gt;title&lt;\/b&gt;<\/h1>/)
  assert.doesNotMatch(shown, /<img src="?x|href="data:|x\.test\/p\.png"/)
  const tooLong = { title: 'Long', text: 'a'.repeat(60_001) }
  const { id: other } = await help.article(categoryId)
  assert.equal((await writer.put(help.at(other), tooLong)).status, 400)
})

test('categories stand in their order, and readers see those with articles', async () => {
  const late = await help.category('Late', { position: 9 })
  const early = await help.category('Early', {
    ...{ position: -9, descriptions: { en: 'What comes first', fr: 'Le début' } },
  })
  const staffSee: string[] = (await reader.get('/v1/admin/article-categories?limit=100')).body.data
    .map(({ id }: Body) => id)
    .filter((id: string) => [late.id, early.id].includes(id))
  assert.deepEqual(staffSee, [early.id, late.id])
  const shown = async () => (await app.get('/v1/knowledge/categories?limit=100')).body.data
  assert.ok(!(await shown()).some(({ id }: Body) => id === early.id), 'nothing to read there')
  await help.published(early.id, { title: 'In the first category' })
  const [first] = await shown()
  assert.deepEqual(
    [first.id, first.name, first.description],
    [early.id, 'Early', 'What comes first'],
  )
  const path = `/v1/admin/article-categories/${late.id}`
  await writer.delete(path)
  const archived = (await writer.get('/v1/admin/article-categories?archived=true')).body.data
  assert.ok(archived.some(({ id }: Body) => id === late.id))
  assert.equal((await writer.post(`${path}/restore`)).body.archivedAt, null)
})
