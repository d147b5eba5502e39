import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { dereferenced } from '#test/document.ts'
import { person } from '#test/people.ts'

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

const { body: document } = await app.get('/v1/openapi.json')
const whole = dereferenced(document)
const methods = ['get', 'post', 'put', 'patch', 'delete']
const described = Object.entries<Record<string, Operation>>(whole.paths).flatMap(([route, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    methods.includes(method) ? [{ name: `${method} ${route}`, method, route, operation }] : [],
  ),
)

test('every operation has an id of its own, one tag, a summary, a description and its refusals', () => {
  const tags = new Map(whole.tags.map((it: Tag) => [it.name, it.description]))
  const ids = new Map<string, string>()
  assert.ok(described.length > 300)
  for (const { name, operation } of described) {
    const { operationId = '', summary, description, responses } = operation
    assert.match(operationId, /^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/, name)
    assert.equal(ids.get(operationId), undefined, `${operationId} is ${name} and another one`)
    ids.set(operationId, name)
    assert.ok(operation.tags?.length === 1 && tags.get(operation.tags[0]), `${name} has one tag`)
    assert.ok(summary && description, `${name} is described`)
    assert.ok(responses.default, `${name}: errors`)
  }
  assert.ok(ids.has('services.upgrade') && ids.has('admin.users.suspend') && ids.has('auth.login'))
})

test('every parameter and every answer says what it is', () => {
  for (const { name, operation } of described) {
    for (const { name: field, description } of operation.parameters ?? []) {
      assert.ok(description && description !== 'UUIDv7', `${name}: ${field}`)
    }
    for (const [status, { description }] of Object.entries(operation.responses)) {
      assert.ok(description && description !== 'Default Response', `${name}: ${status}`)
    }
  }
})

test('a body is required where a field of it is, and not declared where there is none', async () => {
  for (const { name, operation } of described) {
    const { requestBody } = operation
    const [media] = Object.values(requestBody?.content ?? {})
    const { properties, required = [], type } = media?.schema ?? {}
    if (!requestBody || type !== 'object') continue
    assert.ok(properties && Object.keys(properties).length > 0, `${name} declares an empty body`)
    assert.equal(requestBody.required, required.length > 0, name)
  }
  const { operation } = described.find(({ name }) => name.endsWith('/portal-session')) ?? {}
  assert.equal(operation?.requestBody, undefined)
  const customer = await person(app)
  for (const body of [undefined, {}]) {
    assert.equal((await customer.post('/v1/notifications/read-all', body)).status, 200)
  }
})

test('the credentials of every operation are those that its route takes', () => {
  const routes = new Map(
    app.routes.map((it) => [`${it.method.toLowerCase()} ${it.url.replace(/:(\w+)/g, '{$1}')}`, it]),
  )
  for (const { name, method, operation } of described) {
    const { access, permission, credential } = routes.get(name)?.config ?? {}
    const kinds = (operation.security ?? []).flatMap((it) => Object.keys(it))
    const scopes = (operation.security ?? []).flatMap((it) => Object.values(it).flat())
    if (access === 'admin' || access === 'user') {
      assert.deepEqual(kinds, ['session', 'apiKey'], name)
    }
    if (access === 'bot') assert.deepEqual(kinds, ['botToken'], name)
    if (access === 'daemon') assert.deepEqual(kinds, ['daemonToken'], name)
    if (access === 'public' && !credential) assert.deepEqual(kinds, [], name)
    if (permission) assert.ok(scopes.includes(permission), `${name} names ${permission}`)
    const isRead = scopes.includes('read')
    if (kinds.length > 1) assert.equal(isRead, method === 'get', name)
    const repeatable = operation.parameters?.some((it) => it.name === 'Idempotency-Key') ?? false
    const isOurs = access !== 'public' && access !== 'daemon'
    assert.equal(repeatable, method === 'post' && isOurs, `${name} honours Idempotency-Key`)
  }
  const security = (path: string) => JSON.stringify(whole.paths[path].get.security)
  assert.match(security('/v1/oidc/userinfo'), /oidcAccessToken/)
  assert.match(security('/v1/metrics'), /metricsToken/)
})

test('objects of answers are named components, and errors are shared', () => {
  const { schemas, responses } = document.components
  assert.ok(Object.keys(schemas).length > 150)
  for (const name of ['Service', 'Invoice', 'Product', 'User', 'Problem', 'ServiceEndedEvent']) {
    assert.ok(schemas[name], name)
  }
  assert.ok(responses.Error.headers['Retry-After'])
  const unnamed: string[] = []
  for (const [path, item] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, { operationId, responses: answers }] of Object.entries(item)) {
      for (const [status, { content, $ref }] of Object.entries(answers)) {
        if (/^([45]|default)/.test(status)) assert.ok($ref, `${method} ${path} ${status}`)
        const schema = content?.['application/json']?.schema
        const { data, ...others } = schema?.properties ?? {}
        const isPage = data?.items?.$ref && Object.keys(others).every((it) => it === 'nextCursor')
        const isNamed = schema?.$ref || schema?.anyOf || isPage
        const fields = Object.keys(schema?.properties ?? {})
        if (!isNamed && fields.length > 3) unnamed.push(`${operationId} ${status}`)
      }
    }
  }
  assert.deepEqual(unnamed, [])
})

/** 600 KB for the 400 operations that the first version had (decision 150). */
const CHARACTERS_PER_OPERATION = 1_536

test('the document stays small, is served compressed, and not again to whoever has it', async () => {
  const plain = await app.get('/v1/openapi.json')
  const operations = Object.values<object>(document.paths).flatMap((item) => Object.keys(item))
  const perOperation = plain.text.length / operations.length
  assert.ok(perOperation < CHARACTERS_PER_OPERATION, `${perOperation} characters each`)
  const bytes = async (encoding: string) => {
    const answer = await fetch(`${app.url}/v1/openapi.json`, {
      headers: { 'accept-encoding': encoding },
    })
    assert.equal(answer.headers.get('content-encoding'), encoding)
    assert.equal(answer.headers.get('vary'), 'accept-encoding')
    assert.deepEqual(await answer.json(), document)
    return Number(answer.headers.get('content-length'))
  }
  for (const encoding of ['br', 'gzip']) assert.ok((await bytes(encoding)) < 100_000, encoding)
  const { etag = '' } = plain.headers
  const again = await app.get('/v1/openapi.json', { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
  const refused = await app.get('/v1/openapi.json', { headers: { 'accept-encoding': 'br;q=0' } })
  assert.equal(refused.headers['content-encoding'], undefined)
})

test('the reference page shows the document with our own files only', async () => {
  const page = await app.get('/v1/docs')
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /https?:\/\//)
  for (const [, file] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
    const { status } = await app.get(file ?? '')
    assert.equal(status, 200, `${file} is served`)
  }
})

type Schema = {
  $ref?: string
  type?: string
  anyOf?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  required?: string[]
}
type Media = Record<string, { schema?: Schema }>
type Tag = { name: string; description?: string }
type Operation = {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  parameters?: { name: string; description?: string }[]
  requestBody?: { required?: boolean; content: Media }
  security?: Record<string, string[]>[]
  responses: Record<string, { $ref?: string; description?: string; content?: Media }>
}
