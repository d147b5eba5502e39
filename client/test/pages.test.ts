import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../test/support/app.ts'
import { person } from '../../test/support/people.ts'
import { answerOf, entriesOf, MoorageError, moorage } from '../src/index.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const shop = moorage({ url: app.url, credential: admin.token })

test('all entries of a list come, each once, and no page more is asked for than is read', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) {
    await answerOf(shop.POST('/v1/admin/categories', { body: { name, slug: name } }))
  }
  let pages = 0
  const all = () =>
    entriesOf((cursor) => {
      pages += 1
      return shop.GET('/v1/admin/categories', { params: { query: { limit: 2, ...cursor } } })
    })
  const read: string[] = []
  for await (const { name } of all()) read.push(name)
  assert.deepEqual(read.toSorted(), names)
  assert.equal(pages, 3)
  pages = 0
  for await (const _ of all()) break
  assert.equal(pages, 1)
})

test('a list that may not be read is an error', async () => {
  const ada = moorage({ url: app.url, credential: (await person(app)).token })
  const read = entriesOf((cursor) => ada.GET('/v1/admin/categories', { params: { query: cursor } }))
  await assert.rejects(read.next(), (error) => {
    return error instanceof MoorageError && error.status === 403 && error.requestId !== null
  })
})

test('messages are in the language that was asked for, and the address may end with a slash', async () => {
  const french = moorage({ url: `${app.url}/`, language: 'fr' })
  const { name } = await answerOf(french.GET('/v1/meta'))
  assert.equal(typeof name, 'string')
})
