import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { isObject, type Json } from '#platform/http/components.ts'
import { testApp } from '#test/app.ts'
import { type Example, examplesOf, operationsOf, webhooksOf } from '#test/examples.ts'
import { recorded } from '#test/exchanges.ts'

/**
 * The examples are recorded: `RECORD=1 npm test <words>` keeps what tests send and receive, and
 * `UPDATE=1 npm test test/examples` takes an example from it where one is missing or does not fit any more.
 */
const FILE = path.join(import.meta.dirname, '../src/areas/system/reference/examples.json')

type Examples = { operations: Record<string, Example>; webhooks: Record<string, unknown> }
type Media = Record<string, { schema?: Json }>

const app = await testApp(null)
const { body: document } = await app.get('/v1/openapi.json')
const operations = operationsOf(document)
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
formats.default(ajv)
ajv.addFormat('uuid-any', true)
ajv.addFormat('line', true)
ajv.addSchema({ $id: 'api', ...pointing(document) })

/** A schema of the document, with its references to components made absolute. */
function pointing(value: unknown): Json {
  const text = JSON.stringify(value)
  return JSON.parse(text.replaceAll('"$ref":"#/', '"$ref":"api#/'))
}

const compiled = new Map<string, ValidateFunction>()

function faultsOf(schema: Json | undefined, value: unknown): string[] {
  const key = JSON.stringify(schema ?? {})
  const check = compiled.get(key) ?? ajv.compile(pointing(schema ?? {}))
  compiled.set(key, check)
  if (check(value)) return []
  return (check.errors ?? []).map((it) => `${it.instancePath} ${it.message}`)
}

function resolved(part: unknown): Json {
  const { $ref } = (part ?? {}) as { $ref?: string }
  if (!$ref) return (part ?? {}) as Json
  return $ref
    .split('/')
    .slice(1)
    .reduce<Json>((it, name) => it[name] as Json, document)
}

/** What is wrong with an example of an operation; nothing where it fits. */
function faultsIn({ request, status, answer }: Example, described: Json): string[] {
  const body = described.requestBody as { content: Media; required?: boolean } | undefined
  const responses = described.responses as Json
  const [sent] = Object.entries(body?.content ?? {})
  const [, received] = Object.entries((resolved(responses[status]).content ?? {}) as Media)[0] ?? []
  const [type, wanted] = sent ?? []
  const isJsonBody = type === 'application/json'
  const isMissing = isJsonBody && body?.required && request === undefined
  const isShown = received === undefined || answer !== undefined || !isTextual(responses[status])
  return [
    ...(responses[status] ? [] : [`${status} is not described`]),
    ...(isMissing ? ['the request has no body'] : []),
    ...(isShown ? [] : ['the answer has no body']),
    ...(isJsonBody && request !== undefined ? faultsOf(wanted?.schema, request) : []),
    ...(answer !== undefined && isObject(answer) ? faultsOf(received?.schema, answer) : []),
  ]
}

function isTextual(response: unknown): boolean {
  const types = Object.keys((resolved(response).content ?? {}) as Media)
  return types.includes('application/json')
}

function hasFields({ request }: Example): boolean {
  return typeof request === 'string' || (isObject(request) && Object.keys(request).length > 0)
}

function webhookSchema(type: string): Json | undefined {
  const { post } = document.webhooks[type]
  return post.requestBody.content['application/json'].schema
}

function refresh(known: Examples): Examples {
  const exchanges = recorded()
  const found = examplesOf(operations, exchanges)
  const arrived = webhooksOf(exchanges)
  const taken = operations.flatMap(({ id, described }) => {
    const candidates = [known.operations[id] ?? [], found.get(id) ?? []].flat()
    const all = candidates.filter((it) => faultsIn(it, described).length === 0)
    // A body that may be left out is of more use than none.
    const preferred = described.requestBody ? all.find(hasFields) : undefined
    const fitting = preferred ?? all[0]
    return fitting ? [[id, fitting] as const] : []
  })
  const types = Object.keys(document.webhooks).sort()
  const messages = types.map((type) => [type, known.webhooks[type] ?? arrived.get(type)])
  return {
    operations: Object.fromEntries(taken.sort(([a], [b]) => (a < b ? -1 : 1))),
    webhooks: Object.fromEntries(messages),
  }
}

function read(): Examples {
  return JSON.parse(fs.readFileSync(FILE, 'utf8'))
}

if (process.env.UPDATE) {
  const known = fs.existsSync(FILE) ? read() : { operations: {}, webhooks: {} }
  fs.writeFileSync(FILE, `${JSON.stringify(refresh(known), null, 1)}\n`)
}
const examples = read()

test('every operation has a recorded example that matches its schemas, and no unknown operation has one', () => {
  const missing = operations.filter(({ id }) => !examples.operations[id]).map(({ id }) => id)
  assert.deepEqual(missing, [])
  const ids = new Set(operations.map(({ id }) => id))
  assert.deepEqual(
    Object.keys(examples.operations).filter((id) => !ids.has(id)),
    [],
  )
  for (const { id, described, pattern } of operations) {
    const example = examples.operations[id]
    assert.ok(example && pattern.test(example.path.split('?')[0] ?? ''), id)
    assert.deepEqual(faultsIn(example, described), [], id)
  }
})

test('every webhook has a recorded example that matches its schema', () => {
  const types = Object.keys(document.webhooks).sort()
  assert.deepEqual(Object.keys(examples.webhooks), types)
  for (const type of types) {
    assert.ok(examples.webhooks[type], type)
    assert.deepEqual(faultsOf(webhookSchema(type), examples.webhooks[type]), [], type)
  }
})

test('an example that does not match is detected', () => {
  const plan = operations.find(({ id }) => id === 'admin.categories.create')
  const example = examples.operations['admin.categories.create']
  assert.ok(plan && example && isObject(example.answer))
  const { name: _, ...answer } = example.answer
  assert.equal(faultsIn({ ...example, answer }, plan.described).length, 1)
  assert.equal(faultsIn({ ...example, request: { title: 'A' } }, plan.described).length, 2)
  assert.equal(faultsIn({ ...example, status: 202 }, plan.described).length, 1)
})

test('an example names no machine and holds no secret', () => {
  const text = fs.readFileSync(FILE, 'utf8')
  assert.doesNotMatch(text, /127\.0\.0\.1|localhost|\/tmp\/|\/home\//)
  for (const [token] of text.matchAll(/\b(?:moor_|whsec_|ptl[ac]_|sk_(?:test|live)_)[\w-]+/g)) {
    assert.match(token, /_Example$/)
  }
})
