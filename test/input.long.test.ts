import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import type { Schema } from '#test/arbitrary.ts'
import type { Answer, Client } from '#test/client.ts'
import { contractOf, type Responses } from '#test/contract.ts'
import { dereferenced } from '#test/document.ts'
import { textsOf, typedInto, valueAt } from '#test/typed.ts'
import { world } from '#test/world.ts'

/** What people may type where, for every route of the document: a new one is in here by being registered. */
const there = await world()
const { app, owner, admin, objects, bot, daemons } = there
const document = dereferenced((await app.get('/v1/openapi.json')).body)
const faultIn = contractOf(document)

type Parameter = { name: string; in: string }
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Responses
}
type Route = {
  method: string
  url: string
  access: string
  takesAnyQuery: boolean
  operation: Operation
}

const routes: Route[] = app.routes.flatMap(({ method, url, config }) => {
  const path = url.replace(/:(\w+)/g, '{$1}')
  const operation = document.paths[path]?.[method.toLowerCase()]
  const { access = '', openQuery = false } = config
  const takesAnyQuery = openQuery || access === 'daemon'
  return operation ? [{ method, url, access, takesAnyQuery, operation }] : []
})
const reads = routes.filter(({ method }) => method === 'GET')
const daemon = app.as(daemons.own)

function clientOf({ access }: Route): Client {
  const clients: Readonly<Record<string, Client>> = { admin, user: owner, bot, daemon }
  return clients[access] ?? app
}

/** A path with the world's objects in it, or with `word` in the place of the parameter that is `at`. */
function pathOf(url: string, at = -1, word = ''): string {
  const seen: string[] = []
  let index = 0
  const parts = url.split('/').map((part) => {
    seen.push(part)
    if (!part.startsWith(':')) return part
    const known = objects.get(seen.join('/')) ?? newId()
    index += 1
    return encodeURIComponent(index - 1 === at ? word : known)
  })
  return parts.join('/')
}

function send(route: Route, path: string): Promise<Answer> {
  return clientOf(route).request(route.method, path, route.method === 'GET' ? undefined : {})
}

test('what a shop that has one of everything answers is what the document says (hardening 23)', async () => {
  const found: string[] = []
  for (const route of reads) {
    const answer = await send(route, pathOf(route.url))
    const { status } = answer
    const fault = faultIn(route.operation.responses, answer)
    if (fault) found.push(`${route.url} ${status}: ${fault}`)
    const isNamed = String(status) in route.operation.responses || OF_ALL.has(status)
    if (!isNamed) found.push(`${route.url} ${status}`)
  }
  assert.deepEqual(found, [])
})

/** Each word is tried at each place; at a smaller scale each place has one of them in turn. */
const EVERY_WORD = Number(process.env.SCALE ?? 1) >= 1
let turn = 0

function wordsFrom<T>(all: readonly T[]): readonly T[] {
  if (EVERY_WORD) return all
  turn += 1
  return all.slice(turn % all.length).slice(0, 1)
}

/** What any operation may answer: documented as one range. */
const OF_ALL = new Set([400, 401, 403, 429])
const PROTOTYPES = ['__proto__', 'constructor', 'prototype']
/** None has only words that an id could begin with: a search may find those. */
const COMMANDS = ["' OR 1=1--", '$where', ';drop table users.users', '{"$gt":""}', '%', "x'||'z"]

for (const [title, words] of [
  ['what every object has is an id of nothing in a path (hardening 25)', PROTOTYPES],
  ['what would be a command elsewhere is an id of nothing in a path (hardening 27)', COMMANDS],
] as const) {
  test(title, async () => {
    const found: string[] = []
    for (const route of routes) {
      const parameters = route.url.split('/').filter((part) => part.startsWith(':'))
      for (const at of parameters.keys()) {
        for (const word of wordsFrom(words)) {
          const { status } = await send(route, pathOf(route.url, at, word))
          if (status !== 404) found.push(`${route.method} ${route.url} ${word}: ${status}`)
        }
      }
    }
    assert.deepEqual(found, [])
  })
}

test('names that every object has are unknown as those of queries, and change nothing (hardening 25)', async () => {
  const names = PROTOTYPES.flatMap((it) => [it, `${it}[polluted]`, `${it}.polluted`])
  const query = names.map((it) => `${it}=1`).join('&')
  const found: string[] = []
  for (const route of reads) {
    const plain = await send(route, pathOf(route.url))
    const odd = await send(route, `${pathOf(route.url)}?${query}`)
    const refused = odd.body?.details?.map((it: { path: string }) => it.path).join()
    const isRefused = odd.body?.code === 'unknown_parameter' && refused === names.join()
    const isIgnored = route.takesAnyQuery && odd.status === plain.status
    if (!isRefused && !isIgnored) found.push(`${route.url}: ${plain.status} and ${odd.status}`)
  }
  assert.deepEqual(found, [])
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test('what would be a command elsewhere is text like any other in a query (hardening 27)', async () => {
  const found: string[] = []
  let count = 0
  for (const route of reads) {
    const { parameters = [] } = route.operation
    const names = parameters.filter((it) => it.in === 'query').map(({ name }) => name)
    for (const name of names.length > 0 ? [...names, 'sort'] : []) {
      const at = `${pathOf(route.url)}?${name}=`
      const neutral = said(route, await send(route, `${at}neutral`), 'neutral')
      for (const word of wordsFrom(COMMANDS)) {
        const answer = said(route, await send(route, at + encodeURIComponent(word)), word)
        if (answer !== neutral) found.push(`${at}${word}: ${answer.slice(0, 300)}`)
        count += 1
      }
    }
  }
  assert.deepEqual(found, [])
  assert.ok(count > 200, `${count} texts`)
})

/** An answer without its moment. Pages have marks of their own; what lists requests lists this one too. */
function said({ url }: Route, { status, headers, text }: Answer, word: string): string {
  const isData = headers['content-type']?.includes('json') && !url.includes('/audit-logs')
  const plain = text.replaceAll(JSON.stringify(word), '<word>')
  return `${status} ${isData ? plain.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>') : ''}`
}

const TEXTS = {
  'a NUL': 'a\0b',
  'half of a pair': 'a\ud800b',
  'marks that turn the direction': '\u202eab\u2066c\u200f',
  'an emoji of four bytes': 'a \ud83d\udc69\u200d\ud83d\udcbb b',
  'a second line that is a header': 'a\r\nBcc: eve@example.org',
  '65 000 characters': 'x'.repeat(65_000),
}

const ADDRESSES = [
  ...['ada@example.org\r\nBcc: eve@example.org', 'ada@example.org, eve@example.org'],
  ...['ada@example.org;eve@example.org', 'Ada <ada@example.org>', '"Ada"\r\n <ada@example.org>'],
]

test('no address that is typed takes another one along (hardening 32)', async () => {
  const found: string[] = []
  let count = 0
  for (const route of routes) {
    const schema = route.operation.requestBody?.content['application/json']?.schema
    const places = schema ? textsOf(schema) : []
    for (const place of places.filter((it) => /email|address$/i.test(String(it.at(-1))))) {
      count += 1
      for (const address of ADDRESSES) {
        const body = typedInto(schema ?? {}, place, address)
        const { status } = await clientOf(route).request(route.method, pathOf(route.url), body)
        if (status < 400) found.push(`${route.method} ${route.url} ${place.join('.')}: ${address}`)
      }
    }
  }
  assert.deepEqual(found, [])
  assert.ok(count > 5, `${count} addresses`)
})

test('text of every kind is stored as it is or refused, wherever it is typed (hardening 26, 32)', async () => {
  const found: string[] = []
  let stored = 0
  const writes = routes.filter(({ method }) => method !== 'GET' && method !== 'DELETE')
  for (const route of writes) {
    const schema = route.operation.requestBody?.content['application/json']?.schema
    for (const place of schema ? textsOf(schema) : []) {
      for (const [what, text] of wordsFrom(Object.entries(TEXTS))) {
        const body = typedInto(schema ?? {}, place, text)
        const path = pathOf(route.url)
        const { status, body: answer } = await clientOf(route).request(route.method, path, body)
        const where = `${route.method} ${route.url} ${place.join('.')} with ${what}: ${status}`
        const isBroken = what === 'a NUL' || what === 'half of a pair'
        if (status >= 500 && status !== 502) found.push(where)
        if (status < 300 && isBroken) found.push(where)
        const kept = status < 300 ? valueAt(answer, place) : undefined
        if (typeof kept !== 'string') continue
        stored += 1
        if (kept !== text) found.push(`${where} as ${kept.slice(0, 100)}`)
      }
    }
  }
  assert.deepEqual(found, [])
  assert.ok(stored > 10, `${stored} texts were stored`)
})
