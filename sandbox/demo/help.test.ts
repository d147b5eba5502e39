import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'
import { apiAt } from './client.ts'
import { publishHelp } from './help.ts'

test('the demo has help articles once, however often it is filled', async () => {
  const app = await testApp(null)
  const admin = await person(app, { admin: true })
  const { key: token } = await apiKey(app, admin, { permission: 'read-write' })
  const api = apiAt({ url: app.url, token })
  await publishHelp(api)
  await publishHelp(api)
  const { body } = await app.get('/v1/knowledge/articles')
  const titles = body.data.map(({ title }: { title: string }) => title)
  assert.equal(titles.length, 3)
  assert.ok(titles.includes('How do I connect to my server?'))
})
