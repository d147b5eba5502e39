import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { PROBLEM_CODES } from '#lib/problem-codes.ts'
import type { Json } from '#platform/http/components.ts'
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

test('every operation has an id of its own, one tag, a summary and its refusals', () => {
  const tags = new Map(whole.tags.map((it: Tag) => [it.name, it.description]))
  const ids = new Map<string, string>()
  assert.ok(described.length > 300)
  for (const { name, operation } of described) {
    const { operationId = '', summary, description, responses } = operation
    assert.match(operationId, /^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/, name)
    assert.equal(ids.get(operationId), undefined, `${operationId} is ${name} and another one`)
    ids.set(operationId, name)
    assert.ok(operation.tags?.length === 1 && tags.get(operation.tags[0]), `${name} has one tag`)
    assert.ok(summary, `${name} says what it does`)
    assert.notEqual(description, summary, name)
    assert.ok(responses.default, `${name}: errors`)
  }
  assert.ok(ids.has('services.upgrade') && ids.has('admin.users.suspend') && ids.has('auth.login'))
})

/** Changes whose summary says everything: they take nothing but ids, and refuse nothing but unknown ones. */
const SAYS_EVERYTHING =
  /^(delete|remove|revoke|end one|acknowledge|get the claims|an? (old )?daemon (has|reports|asks))/i

test('every operation that changes something says what, with its effects and refusals', () => {
  const silent = described.filter(
    ({ method, operation: { summary = '', description = '' } }) =>
      method !== 'get' && description === '' && !SAYS_EVERYTHING.test(summary),
  )
  assert.deepEqual(
    silent.map(({ name, operation }) => `${name}: ${operation.summary}`),
    [],
  )
  // Who may call is in `security`: a description that says nothing else says nothing.
  for (const { name, operation } of described) {
    assert.doesNotMatch(operation.description ?? '', /^(Requires [^.]*|Public[^.]*)\.$/, name)
  }
})

const REFUSALS = ['services.upgrade', 'services.cancel', 'cart.items.create', 'billing.checkout']

test('the fields of bodies that do not explain themselves are described', () => {
  const bodies = [...REFUSALS, 'services.renew', 'admin.plans.create', 'billing.invoices.pay']
  for (const id of bodies) {
    const found = described.find(({ operation }) => operation.operationId === id)
    const [media] = Object.values(found?.operation.requestBody?.content ?? {})
    for (const [field, schema] of Object.entries(media?.schema?.properties ?? {})) {
      const { description = '' } = schema as { description?: string }
      const isPlain = ['reason', 'options', 'productId', 'name', 'interval'].includes(field)
      assert.ok(description.length > 7 || isPlain, `${id}: ${field}`)
    }
  }
})

test('every code of an error that a description names exists', () => {
  for (const { name, operation } of described) {
    for (const [, code = ''] of (operation.description ?? '').matchAll(CODE)) {
      assert.ok(code in PROBLEM_CODES || isField(code), `${name}: ${code}`)
    }
  }
  for (const id of REFUSALS) {
    const found = described.find(({ operation }) => operation.operationId === id)
    assert.match(found?.operation.description ?? '', /\b4\d\d\b.*`[a-z_]+`/, id)
  }
})

/** What looks like the code of an error in a description. */
const CODE = /`([a-z]+(?:_[a-z]+)+)`/g

/** Words with underscores that are no codes: values and files that descriptions name. */
const isField = (word: string) => OTHER_WORDS.has(word)
const OTHER_WORDS = new Set(['period_end'])

test('every parameter and every answer says what it is', () => {
  for (const { name, operation } of described) {
    for (const { name: field, description } of operation.parameters ?? []) {
      assert.ok(description && description !== 'UUIDv7', `${name}: ${field}`)
      assert.doesNotMatch(description, /^The [a-z]+\.$/, `${name}: ${field}`)
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
  assert.ok(responses.Error.headers['Retry-After'] && responses.Error.headers['X-Request-Id'])
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

/** 600 KB for the 400 operations that the first version had, without the headers of answers (decisions 150, 205), what is priced beside plans, the charts of accounts, and the actions of saved replies. */
const CHARACTERS_PER_OPERATION = 1_576
/** 100 KB for the 472 operations that were there when the bound began to grow with them (decision 205). */
const COMPRESSED_PER_OPERATION = 217

test('the document stays small, is served compressed, and not again to whoever has it', async () => {
  const plain = await app.get('/v1/openapi.json')
  const operations = Object.values<object>(document.paths).flatMap((item) => Object.keys(item))
  const isHeaders = (key: string, value: Json | undefined) =>
    key === 'headers' && value?.['X-Request-Id'] !== undefined
  const text = JSON.stringify(document, (key, value) => (isHeaders(key, value) ? undefined : value))
  const perOperation = text.length / operations.length
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
  for (const encoding of ['br', 'gzip']) {
    const compressed = (await bytes(encoding)) / operations.length
    assert.ok(compressed < COMPRESSED_PER_OPERATION, `${encoding}: ${compressed} bytes each`)
  }
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
