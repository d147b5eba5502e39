import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'

const FILE = path.join(import.meta.dirname, '../docs/openapi.json')

const app = await testApp(null)

test('docs/openapi.json is what this version serves', async () => {
  const { body } = await app.get('/v1/openapi.json')
  const served = `${JSON.stringify(body, null, 2)}\n`
  // `UPDATE=1 npm test openapi` writes the file after an intended change.
  if (process.env.UPDATE) fs.writeFileSync(FILE, served)
  assert.ok(
    fs.readFileSync(FILE, 'utf8') === served,
    'The API changed: run UPDATE=1 npm test openapi',
  )
})

test('every operation of the document has a tag, a summary and its refusals', async () => {
  const { body } = await app.get('/v1/openapi.json')
  const methods = ['get', 'post', 'put', 'patch', 'delete']
  for (const [route, item] of Object.entries<Record<string, Operation>>(body.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!methods.includes(method)) continue
      const name = `${method} ${route}`
      assert.ok(operation.tags?.length === 1, `${name} has one tag`)
      assert.ok(operation.summary, `${name} has a summary`)
      assert.ok(operation.responses['429'], `${name} documents its quota`)
    }
  }
})

test('the reference page shows the document with our own files only', async () => {
  const page = await app.get('/v1/docs')
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /https?:\/\//)
  for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const { status } = await app.get(file ?? '')
    assert.equal(status, 200, `${file} is served`)
  }
})

type Operation = { tags?: string[]; summary?: string; responses: Record<string, unknown> }
