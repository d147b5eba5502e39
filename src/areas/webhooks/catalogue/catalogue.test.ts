import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { dereferenced } from '#test/document.ts'
import { CATALOGUE } from './catalogue.ts'

test('types are named once, by what happened to what', () => {
  const types = CATALOGUE.map(({ type }) => type)
  assert.equal(new Set(types).size, types.length)
  for (const type of types) assert.match(type, /^[a-z_]+\.[a-z_]+$/)
})

test('the API document describes the body of every type', async (t) => {
  const app = await testApp(t)
  const { webhooks } = dereferenced((await app.get('/v1/openapi.json')).body)
  const described = Object.keys(webhooks).sort()
  assert.deepEqual(described, [...CATALOGUE.map(({ type }) => type), 'endpoint.ping'].sort())
  for (const type of described) {
    const { schema } = webhooks[type].post.requestBody.content['application/json']
    assert.equal(schema.properties.type.const, type)
    assert.ok(Object.keys(schema.properties.data.properties).length > 0)
  }
})
