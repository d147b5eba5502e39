import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { changedMeanwhile, Problem } from '#lib/problem.ts'
import type { Tx } from '../database/index.ts'
import { isObject, type Json } from './components.ts'
import { differencesOf } from './differences.ts'
import type { App, EditScope } from './index.ts'
import type { RouteFacts } from './openapi.ts'
import { namesTag } from './tags.ts'

/** An object that staff can edit: the handler that reads it, and its editable fields. */
type Edited = { read: RouteOptions; fields: Set<string> }

const VERSIONED = new Set(['GET', 'HEAD', 'PATCH', 'PUT'])

type Read = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * The path of the object that a route of the administration edits, if it has a GET route: its own path, or the one
 * in `edits`. Routes without such an object have no version.
 */
export function editedAt(
  { method, url, config }: RouteFacts,
  isRead: (url: string) => boolean,
): string | null {
  if (config.access !== 'admin' || (method !== 'PATCH' && method !== 'PUT')) return null
  const path = config.edits ?? url
  return isRead(path) ? path : null
}

/**
 * Adds an `ETag` to the read and the edits of each object that staff can edit. An edit with `If-Match` is refused
 * with 412 if the object has changed since that version. The comparison runs in the transaction of the edit, and
 * edits of one object are serialized, so no update is lost between comparison and change. The tag covers only the
 * editable fields: redeeming a coupon does not change its tag. What an edit changed is found by reading the object
 * before and after it in the same transaction, for the audit log.
 */
export function versionEdits(app: App): void {
  const reads = new Map<string, RouteOptions>()
  const edits: { facts: RouteFacts; route: RouteOptions }[] = []
  const edited = new Map<string, Edited>()
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') reads.set(route.url, route)
    const config = route.config ?? {}
    const facts = { method: String(route.method), url: route.url, config }
    if (config.access === 'admin') edits.push({ facts, route })
  })
  app.addHook('onReady', (done) => {
    for (const { facts, route } of edits) {
      const path = editedAt(facts, (url) => reads.has(url))
      const read = path === null ? undefined : reads.get(path)
      if (path === null || !read) continue
      const known = edited.get(path) ?? { read, fields: new Set() }
      for (const field of fieldsOf(route)) known.fields.add(field)
      edited.set(path, known)
    }
    done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    const known = editedBy(request, edited)
    if (known && (request.method === 'PATCH' || request.method === 'PUT')) {
      request.scope.edit = editOf(known, request, reply)
    }
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const known = reply.statusCode === 200 ? editedBy(request, edited) : undefined
    if (known && typeof payload === 'string') {
      reply.header('etag', tagOf(JSON.parse(payload), known.fields))
    }
    done()
  })
}

function editedBy({ routeOptions }: FastifyRequest, edited: Map<string, Edited>) {
  const { method, url = '', config } = routeOptions
  if (!VERSIONED.has(String(method))) return undefined
  return config.access === 'admin' ? edited.get(config.edits ?? url) : undefined
}

function fieldsOf({ schema, config }: RouteOptions): readonly string[] {
  if (config?.versioned) return config.versioned
  const { properties = {} } = (schema?.body ?? {}) as { properties?: object }
  return Object.keys(properties)
}

/** The steps before and after an edit: `began` throws 412 if the version is not that of `If-Match`. */
function editOf(edited: Edited, request: FastifyRequest, reply: FastifyReply): EditScope {
  const { read, fields } = edited
  let before: unknown = null
  return {
    async began(tx) {
      await serialize(tx, read, request)
      const expected = request.headers['if-match']?.trim()
      if (expected === undefined || expected === '*') {
        before = await existingOf(tx, read, request, reply)
        return
      }
      before = await currentOf(tx, read, request, reply)
      if (!namesTag(expected, tagOf(before, fields))) throw changedMeanwhile()
    },
    async changes(tx) {
      if (before === null) return []
      const after = await existingOf(tx, read, request, reply)
      return differencesOf({ before, after }, fields)
    },
  }
}

/** Edits of one object wait for each other. */
async function serialize(tx: Tx, read: RouteOptions, { tenantId, params }: FastifyRequest) {
  const object = `${tenantId} ${read.url} ${JSON.stringify(params)}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${object}, 0))`.execute(tx)
}

/** The object as its GET returns it; null if that throws a Problem: then the edit creates the object, or refuses. */
async function existingOf(
  tx: Tx,
  read: RouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    return await currentOf(tx, read, request, reply)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** The object as its GET returns it, read within the transaction of the edit. */
async function currentOf(
  tx: Tx,
  { handler, schema }: RouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { current } = request.routeOptions.config
  const reading = Object.create(request, { db: { value: tx } }) as FastifyRequest
  const object = current ? await current(tx, request) : await (handler as Read)(reading, reply)
  const { 200: answer = {} } = (schema?.response ?? {}) as Record<number, Json>
  return JSON.parse(String(reply.serializeInput(object as Json, answer)))
}

/** The tag of an object: a hash of its editable fields, or of all fields if the edit uses other names. */
function tagOf(object: unknown, fields: ReadonlySet<string>): string {
  const entries = Object.entries(isObject(object) ? object : { object })
  const covered = entries.filter(([name]) => fields.has(name))
  const named = (covered.length > 0 ? covered : entries).sort(([a], [b]) => (a < b ? -1 : 1))
  return `"${hash('sha256', JSON.stringify(named), 'hex').slice(0, 32)}"`
}
