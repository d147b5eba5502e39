import assert from 'node:assert/strict'
import { test } from 'node:test'

import { testApp } from '#test/app.ts'
import type { Answer, Client } from '#test/client.ts'
import { helpOf } from '#test/help.ts'
import { apiKey, person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

type Body = Answer['body']

const app = await testApp(null, { config: { trustProxy: ['127.0.0.1'] } })
const admin = await person(app, { admin: true })
const help = helpOf(admin)
const { id: categoryId } = await help.category('Feedback')

let written = 0
async function article(): Promise<Body> {
  written += 1
  return help.published(categoryId, { title: `Article ${written}` })
}

function say(id: string, helpful: boolean, who: Client = app, address?: string): Promise<Answer> {
  const options = address ? { headers: { 'x-forwarded-for': address } } : {}
  const path = `/v1/knowledge/articles/${id}/feedback`
  return who.request('POST', path, { language: 'en', helpful }, options)
}

async function counted(id: string): Promise<readonly [number, number]> {
  const { body } = await admin.get(`/v1/admin/articles/${id}`)
  const [{ helpful, unhelpful }] = body.texts
  return [helpful, unhelpful]
}

test('a reader has one answer to a version, and may change it', async () => {
  const { id } = await article()
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read-write' })
  assert.equal((await say(id, true, ada)).body.helpful, true)
  await Promise.all([say(id, true, ada), say(id, true, key), say(id, true, ada)])
  assert.deepEqual(await counted(id), [1, 0])
  await say(id, false, key)
  assert.deepEqual(await counted(id), [0, 1])
})

test('a visitor has one answer per network and day, whatever they send', async () => {
  const { id } = await article()
  for (const address of ['203.0.113.7', '203.0.113.7', '2001:db8:1:2::1', '2001:db8:1:2::9']) {
    assert.equal((await say(id, true, app, address)).status, 200)
  }
  assert.deepEqual(await counted(id), [2, 0])
})

test('a new version is asked about anew', async () => {
  const { id } = await article()
  const ada = await person(app)
  await say(id, false, ada)
  await help.publish(await help.draft(id, { title: 'Clearer', text: 'Much clearer.' }))
  assert.deepEqual(await counted(id), [0, 0])
  await say(id, true, ada)
  assert.deepEqual(await counted(id), [1, 0])
})

test('support A30: the eleventh article in an hour is refused, also when asked at once', async () => {
  const articles: Body[] = []
  for (let count = 0; count < 12; count += 1) articles.push(await article())
  const ada = await person(app)
  const answers = await Promise.all(articles.map(({ id }) => say(id, true, ada)))
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length, 2)
  for (const { body, headers } of refused) {
    assert.equal(body.code, 'limit_reached')
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds > 3500 && seconds <= 3600, headers['retry-after'])
  }
  const answered = articles.find((_, at) => answers[at]?.status === 200)
  assert.equal((await say(answered?.id, false, ada)).status, 200, 'an answer can be changed')
})

test('drafts, unknown languages and unknown articles take no feedback', async () => {
  const { id } = await article()
  const french = await app.post(`/v1/knowledge/articles/${id}/feedback`, {
    ...{ language: 'fr', helpful: true },
  })
  assert.equal(french.status, 404)
  const draft = await help.article(categoryId)
  await help.draft(draft.id, { title: 'Not out' })
  assert.equal((await say(draft.id, true)).status, 404)
})

test('staff who act as a customer do not answer for them', async () => {
  const { id } = await article()
  const ada = await person(app)
  const begun = await admin.post(`/v1/admin/users/${ada.userId}/impersonate`, { reason: 'Help' })
  const answer = await say(id, true, app.as(begun.body.accessToken))
  assert.deepEqual([answer.status, answer.body.code], [403, 'impersonated'])
})

test('support A88: the answers of a person are exported, and stay without them when their account ends', async () => {
  const { id } = await article()
  const ada = await person(app)
  await say(id, true, ada)
  const exported = (await ada.get('/v1/billing/export-data')).body.data.knowledge
  assert.deepEqual(
    exported.articleFeedback.map(({ helpful, language }: Body) => [helpful, language]),
    [[true, 'en']],
  )
  await givePassword(app, ada.userId)
  const { body } = await app.post('/v1/auth/login', { email: ada.email, password: PASSWORD })
  const left = await app.as(body.accessToken).delete('/v1/users/me', { password: PASSWORD })
  assert.equal(left.status, 200, left.text)
  const { rows } = await app.deps.database.execute(
    'select user_id, visitor from knowledge.feedback order by id desc limit 1',
  )
  assert.deepEqual(rows, [{ user_id: null, visitor: null }])
  assert.deepEqual(await counted(id), [1, 0])
})
