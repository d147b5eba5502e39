import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Answer, Client } from '#test/client.ts'
import { operationsOf } from '#test/examples.ts'
import { matrix } from '#test/matrix.ts'
import { apiKey, person } from '#test/people.ts'

/**
 * A `read-write` key may call every operation of its owner's account (`docs/accounts.md`): each route for
 * customers is called by a session and by a key, with the body of its recorded example.
 */
const { app, owner, routes, pathOf } = await matrix()
const FILE = path.join(import.meta.dirname, '../src/areas/system/reference/examples.json')
type Examples = { operations: Record<string, { request?: unknown }> }
const { operations: examples } = JSON.parse(fs.readFileSync(FILE, 'utf8')) as Examples
const { body: document } = await app.get('/v1/openapi.json')
const operations = operationsOf(document)

const ORDER = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE']
const forCustomers = routes
  .filter(({ config }) => config.access === 'user')
  .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
type Route = (typeof forCustomers)[number]

function requestOf({ method, url }: Route): unknown {
  const described = url.replace(/:(\w+)/g, '{$1}')
  const id = operations.find((it) => it.method === method && it.path === described)?.id ?? ''
  return method === 'GET' ? undefined : (examples[id]?.request ?? {})
}

const call = (client: Client, route: Route): Promise<Answer> =>
  client.request(route.method, pathOf(route.url), requestOf(route))

/** What asks a key for the password or a code, which a session that has just begun has shown. */
const ASKED_FOR_PROOF = ['password_required', 'second_factor_required']

/** The status of an answer, and the code of an error. */
const refusalOf = ({ status, body }: Answer) => [status, status < 400 ? null : body.code]

test('there are customers’ routes of every kind', () => {
  assert.ok(forCustomers.length > 100, `${forCustomers.length}`)
  for (const method of ORDER)
    assert.ok(
      forCustomers.some((it) => it.method === method),
      method,
    )
})

for (const route of forCustomers) {
  test(`${route.method} ${route.url} answers a read-write key as it answers a session`, async () => {
    const [one, other] = [await person(app), await person(app)]
    const bySession = await call(one, route)
    const byKey = await call(await apiKey(app, other, { permission: 'read-write' }), route)
    if (ASKED_FOR_PROOF.includes(byKey.body?.code)) {
      assert.match(route.url, /^\/v1\/users\/me|\/panel-password$/)
      return
    }
    assert.deepEqual(refusalOf(byKey), refusalOf(bySession), `${byKey.text} ${bySession.text}`)
    assert.notEqual(byKey.status, 401, byKey.text)
  })
}

test('a read-write key of the owner is refused by no operation about what they own', async () => {
  const key = await apiKey(app, owner, { permission: 'read-write' })
  // An invitation is for the person whom its owner invited.
  const owned = ({ url }: Route) => url.includes(':') && !url.startsWith('/v1/invitations/')
  for (const route of forCustomers.filter(owned)) {
    const answer = await key.request(route.method, pathOf(route.url), requestOf(route))
    if (ASKED_FOR_PROOF.includes(answer.body?.code)) continue
    const { status, text } = answer
    const isAllowed = status !== 401 && status !== 403 && status < 500
    assert.ok(isAllowed, `${route.method} ${route.url} ${text}`)
  }
})
