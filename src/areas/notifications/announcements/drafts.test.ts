import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, instant, later } from '#lib/time.ts'
import { until } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'

const shop = await gameShop()
const { app, admin } = shop
const { clock } = app.deps
const url = '/v1/admin/announcements'
const texts = { en: { title: 'Maintenance', body: 'Tonight.' } }
const corrected = { en: { title: 'Maintenance', body: 'Tomorrow.' } }
// Sessions end while the clock is advanced, keys do not.
const ada = await apiKey(app, await person(app), { permission: 'read-write' })

async function drafted(body: object = {}) {
  const answer = await admin.post(url, { texts, publishAt: null, ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

const finished = (id: string) =>
  until('it has reached everybody', async () => {
    const { body } = await admin.get(`${url}/${id}`)
    return body.finishedAt && body
  })

async function toldOf(title: string): Promise<number> {
  const { body, text } = await ada.get('/v1/notifications')
  assert.ok(body.data, text)
  const { data } = body
  return data.filter((it: { title: string }) => it.title === title).length
}

async function newsTitles(): Promise<string[]> {
  const { data } = (await app.get('/v1/news?limit=100')).body
  return data.map((it: { title: string }) => it.title)
}

const titled = (title: string) => ({ texts: { en: { title, body: 'Text.' } } })

test('a draft is seen by staff only, can be changed, and is sent when it is published', async () => {
  const { id, status, publishedAt } = await drafted({ ...titled('Draft'), public: true })
  assert.deepEqual([status, publishedAt], ['draft', null])
  const changed = await admin.patch(`${url}/${id}`, { ...titled('New game'), link: '/news' })
  assert.deepEqual([changed.status, changed.body.texts.en.title], [200, 'New game'], changed.text)
  await app.advance(120)
  assert.deepEqual([await toldOf('New game'), await newsTitles()], [0, []])
  const published = await admin.post(`${url}/${id}/publish`)
  assert.deepEqual([published.status, published.body.status], [200, 'published'], published.text)
  await finished(id)
  assert.deepEqual([await toldOf('New game'), await newsTitles()], [1, ['New game']])
  const again = await admin.post(`${url}/${id}/publish`)
  assert.deepEqual([again.status, again.body.code], [409, 'announcement_published'])
  assert.equal((await admin.delete(`${url}/${id}`)).body.code, 'announcement_published')
})

test('processes of the previous version, which show everything that is public, show no drafts', async () => {
  const { id } = await drafted(titled('Hidden'))
  const changed = await admin.patch(`${url}/${id}`, { public: true })
  assert.deepEqual([changed.status, changed.body.public], [200, true], changed.text)
  const isPublic = async () => {
    const { rows } = await app.deps.database.execute(
      'select public from notifications.announcements where id = $1',
      [id],
    )
    return rows[0]?.public
  }
  assert.equal(await isPublic(), false)
  assert.equal((await admin.patch(`${url}/${id}`, { public: false })).body.public, false)
  assert.equal((await admin.patch(`${url}/${id}`, { public: true })).body.public, true)
  assert.equal((await admin.post(`${url}/${id}/publish`)).body.public, true)
  assert.equal(await isPublic(), true)
  await finished(id)
})

test('a scheduled announcement is sent at its time, and the news are in the order of publication', async () => {
  const publishAt = later(clock.now(), 2 * HOUR_MS)
  const { id, status } = await drafted({ ...titled('Planned'), public: true, publishAt })
  assert.equal(status, 'scheduled')
  const { body: early } = await admin.post(url, { ...titled('Meanwhile'), public: true })
  await finished(early.id)
  await app.advance(3600)
  assert.deepEqual([await toldOf('Planned'), (await newsTitles())[0]], [0, 'Meanwhile'])
  await app.advance(3700)
  const sent = await finished(id)
  assert.deepEqual([sent.status, sent.publishAt], ['published', null])
  await app.advance(120)
  assert.deepEqual([await toldOf('Planned'), (await newsTitles())[0]], [1, 'Planned'])
})

test('a planned time can be moved and canceled, and lies ahead', async () => {
  const publishAt = later(clock.now(), HOUR_MS)
  const { id } = await drafted({ ...titled('Moved'), publishAt })
  const past = { publishAt: instant('2020-01-01T00:00:00Z') }
  assert.equal((await admin.patch(`${url}/${id}`, past)).body.code, 'publication_past')
  const refused = await admin.post(url, { texts, ...past })
  assert.deepEqual([refused.status, refused.body.code], [422, 'publication_past'])
  const canceled = await admin.patch(`${url}/${id}`, { publishAt: null })
  assert.deepEqual([canceled.status, canceled.body.status], [200, 'draft'])
  await app.advance(7200)
  assert.equal(await toldOf('Moved'), 0)
  assert.equal((await admin.delete(`${url}/${id}`)).status, 200)
  assert.equal((await admin.get(`${url}/${id}`)).status, 404)
})

test('the text of a published announcement can be corrected, and nobody is notified again', async () => {
  const { body } = await admin.post(url, { texts, public: true, mailed: true })
  await finished(body.id)
  const before = await toldOf('Maintenance')
  const { status, text } = await admin.patch(`${url}/${body.id}`, {
    ...{ texts: corrected, link: '/status', mailed: true, publishAt: null },
  })
  assert.equal(status, 200, text)
  await app.advance(120)
  assert.equal(await toldOf('Maintenance'), before)
  const [news] = (await app.get('/v1/news')).body.data
  assert.deepEqual([news.body, news.link], ['Tomorrow.', '/status'])
  for (const change of [
    { mailed: false },
    { public: false },
    { productIds: [(await shop.server()).product.id] },
    { publishAt: later(clock.now(), HOUR_MS) },
  ]) {
    const { body: refused } = await admin.patch(`${url}/${body.id}`, change)
    assert.equal(refused.code, 'announcement_published', JSON.stringify(change))
  }
})

test('another shop does not find a draft, and people without the permission change nothing', async () => {
  const { id } = await drafted()
  const tenantId = await otherTenant(app, 'elsewhere.test')
  const stranger = await person(app, { tenantId, permissions: ['announcements:write'] })
  const tries = (who: Client) => [
    who.patch(`${url}/${id}`, { texts }),
    who.post(`${url}/${id}/publish`),
    who.delete(`${url}/${id}`),
  ]
  for (const { status } of await Promise.all(tries(stranger))) assert.equal(status, 404)
  for (const { status } of await Promise.all(tries(ada))) assert.equal(status, 403)
  assert.equal((await admin.get(`${url}/${id}`)).body.status, 'draft')
})
