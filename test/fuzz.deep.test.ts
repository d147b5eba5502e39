import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { pathValue, type Schema, valueFor } from '#test/arbitrary.ts'
import { botOf } from '#test/bot.ts'
import type { Answer, Client } from '#test/client.ts'
import { contents } from '#test/contents.ts'
import { contractOf, type Responses } from '#test/contract.ts'
import { dereferenced } from '#test/document.ts'
import { person } from '#test/people.ts'

/** `FUZZ_SEED` repeats a run; `FUZZ_RUNS` deepens it. Each run is of three seeds. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const SEEDS = [SEED, SEED + 1, SEED + 2]
const RUNS = Number(process.env.FUZZ_RUNS ?? 6)

type Operation = {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Responses
}

const app = await testApp(null)
const admin = await person(app, { admin: true })
const customer = await person(app)
const daemon = await daemonOf()
const bot = await botOf(app, admin)
const document = dereferenced((await app.get('/v1/openapi.json')).body)
const faultIn = contractOf(document)
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Moving the clock by years is what it is for. */
const LEFT_OUT = new Set(['/v1/admin/clock'])

const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
  ([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation && !LEFT_OUT.has(path) ? [{ path, method, operation }] : []
    }),
)

/** A daemon whose reports end here: nothing of what it says is called. */
async function daemonOf(): Promise<Client> {
  const node = { name: 'Panel', url: 'https://1.1.1.1', type: 'pterodactyl', apiKey: 'ptla_x' }
  const { body } = await admin.post('/v1/admin/nodes', node)
  const issued = await admin.post(`/v1/admin/nodes/${body.id}/daemon-token`, {})
  assert.equal(issued.status, 201, issued.text)
  return app.as(issued.body.token)
}

/** Who may call a path. */
function ownerOf(path: string): Client {
  if (path.startsWith('/v1/panel/')) return daemon
  return path.startsWith('/v1/bot/') ? bot : admin
}

function requestFor({ path, operation }: (typeof operations)[number]) {
  const { parameters = [], requestBody } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const query = parameters.filter((it) => it.in === 'query')
  const schema = requestBody?.content['application/json']?.schema
  return fc.record({
    ids: fc.tuple(...names.map(() => pathValue)),
    query: fc.record(Object.fromEntries(query.map((it) => [it.name, valueFor(it.schema, 1)])), {
      requiredKeys: [],
    }),
    body: schema ? valueFor(schema) : fc.constant(undefined),
  })
}

type Sent = { ids: unknown[]; query: Record<string, unknown>; body: unknown }

function urlOf(path: string, { ids, query }: Sent): string {
  let index = 0
  const filled = path.replace(/\{\w+\}/g, () => String(ids[index++] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    search.set(name, (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 5000))
  }
  return search.size > 0 ? `${filled}?${search}` : filled
}

const OF_HTTP = new Set([405, 408, 413, 415, 431])
/** What any operation may answer: documented as its default answer. */
const OF_ALL = new Set([400, 401, 403, 429])

function assertContract(name: string, answer: Answer, responses: Responses): void {
  const { status, body, headers } = answer
  // A 502 is the word of a panel or provider that cannot be asked: documented, and none of ours.
  assert.ok(status < 500 || status === 502, `${name} answers ${status}: ${JSON.stringify(body)}`)
  // What HTTP itself refuses is documented once for all operations.
  const isNamed = String(status) in responses
  const isDocumented =
    isNamed || OF_HTTP.has(status) || ('default' in responses && OF_ALL.has(status))
  assert.ok(isDocumented, `${name} answers ${status}, which it does not document`)
  assert.ok(headers['x-ratelimit-limit'], `${name} shows its quota`)
  const fault = faultIn(responses, answer)
  assert.equal(fault, null, `${name} answers ${status} ${JSON.stringify(body)}: ${fault}`)
  if (status < 400) return
  assert.equal(body.statusCode, status, name)
  assert.equal(typeof body.message, 'string', name)
}

for (const it of operations) {
  const name = `${it.method.toUpperCase()} ${it.path}`
  test(`${name} answers anything within its contract (hardening 23)`, async () => {
    const numRuns = Math.ceil(RUNS / SEEDS.length)
    const samples = SEEDS.flatMap((seed) => fc.sample(requestFor(it), { numRuns, seed }) as Sent[])
    for (const [index, sent] of samples.entries()) {
      // Most go no further than an administrator: others are turned away before.
      const own = ownerOf(it.path)
      const clients: Client[] = index % 3 === 0 ? [own, customer, app] : [own]
      for (const client of clients) {
        const url = urlOf(it.path, sent)
        const answer = await client.request(it.method.toUpperCase(), url, sent.body)
        assertContract(
          `${name} ${url} ${JSON.stringify(sent.body)}`,
          answer,
          it.operation.responses,
        )
      }
    }
  })
}

test('a refused write leaves every table as it was', async () => {
  const before = await contents(app)
  for (const { method, path } of operations.filter((it) => it.method !== 'get')) {
    const url = path.replace(/\{\w+\}/g, newId())
    const { status } = await admin.request(method.toUpperCase(), url, { nobodyKnowsThis: 1 })
    assert.ok(status >= 400, `${method} ${path} answers ${status} to an unknown field`)
  }
  assert.deepEqual(await contents(app), before)
})

test('no request has changed what every object has (hardening 25)', () => {
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
  assert.deepEqual(Object.keys(Object.prototype), [])
})
