import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import type { Answer, Client } from '#test/client.ts'
import { contractOf, type Responses } from '#test/contract.ts'
import { world } from '#test/world.ts'

/** What people may type where, for every route of the document: a new one is in here by being registered. */
const there = await world()
const { app, owner, admin, objects, bot, daemons } = there
const { body: document } = await app.get('/v1/openapi.json')
const faultIn = contractOf(document)

type Parameter = { name: string; in: string }
type Operation = { parameters?: Parameter[]; responses: Responses }
type Route = { method: string; url: string; access: string; operation: Operation }

const routes: Route[] = app.routes.flatMap(({ method, url, config }) => {
  const path = url.replace(/:(\w+)/g, '{$1}')
  const operation = document.paths[path]?.[method.toLowerCase()]
  return operation ? [{ method, url, access: config.access ?? '', operation }] : []
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
    if (!(String(status) in route.operation.responses)) found.push(`${route.url} ${status}`)
  }
  assert.deepEqual(found, [])
})
