import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { badRequest, conflict, Problem, unprocessable } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { json, type Tx, transact } from '../database/index.ts'
import type { App } from './index.ts'

const KEPT_MS = 24 * HOUR_MS
/** A request without a response after this time was lost with its process. */
const LOCKED_MS = 2 * MINUTE_MS
const KEPT_HEADERS = ['location', 'content-type'] as const

type Key = { tenantId: string; callerId: string; key: string }

/** Sends the first response again for repetitions of a POST with the same `Idempotency-Key`. */
export function replayAnswers(app: App): void {
  async function replay(request: FastifyRequest, reply: FastifyReply, key: string | string[]) {
    if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw badRequest('Idempotency-Key must be 1 to 255 printable characters.')
    }
    const replayed = await begin(request, key)
    if (replayed) {
      return reply
        .code(replayed.statusCode)
        .headers({ ...replayed.headers, 'idempotency-replayed': 'true' })
        .serializer((text: string) => text)
        .send(replayed.body)
    }
    request.scope.idempotency = { requestHash: hashOf(request), key }
  }
  app.addHook('preHandler', (request, reply, done) => {
    const key = request.headers['idempotency-key']
    const { access } = request.routeOptions.config
    if (request.method !== 'POST' || key === undefined || !request.scope.caller) return done()
    if (access === 'public' || access === 'daemon') return done()
    return replay(request, reply, key)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.scope?.idempotency) return done()
    return end(request, reply, payload)
  })
}

/** Records in a transaction of the request that its effect is about to be committed. */
export async function markEffect(tx: Tx, request: FastifyRequest): Promise<void> {
  const { idempotency, now } = request.scope
  if (!idempotency) return
  await ofKey(tx.updateTable('platform.idempotency_keys'), keyOf(request, idempotency.key))
    .set({ effectAt: now })
    .execute()
}

type Replay = { statusCode: number; headers: Record<string, string>; body: string }

async function begin(request: FastifyRequest, key: string): Promise<Replay | null> {
  const { db, now } = request.scope
  const requestHash = hashOf(request)
  const id = keyOf(request, key)
  const known = await transact(db, async (tx) => {
    const row = { ...id, requestHash, createdAt: now, lockedUntil: later(now, LOCKED_MS) }
    const inserted = await tx
      .insertInto('platform.idempotency_keys')
      .values(row)
      .onConflict((it) => it.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (inserted) return null
    const found = await tx
      .selectFrom('platform.idempotency_keys')
      .selectAll()
      .where('tenantId', '=', id.tenantId)
      .where('callerId', '=', id.callerId)
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const abandoned = !found.statusCode && !found.effectAt && found.lockedUntil <= now
    if (!abandoned && found.createdAt > later(now, -KEPT_MS)) return found
    // Too old to count, or its process died before it had changed anything.
    await ofKey(tx.updateTable('platform.idempotency_keys'), id)
      .set({ ...row, effectAt: null, statusCode: null, headers: null, body: null })
      .execute()
    return null
  })
  if (!known) return null
  if (!known.requestHash.equals(requestHash)) {
    throw unprocessable(
      'This Idempotency-Key was used for another request.',
      'idempotency_key_reused',
    )
  }
  if (known.statusCode === null || known.body === null) {
    if (known.lockedUntil > now) {
      throw new Problem(409, 'The first request with this key is still running.', {
        code: 'in_progress',
        headers: { 'retry-after': '1' },
      })
    }
    throw conflict('The first request with this key took effect already.', 'already_answered')
  }
  return { statusCode: known.statusCode, headers: known.headers ?? {}, body: known.body }
}

/** Stores the response, except for faults and exceeded quotas: the same request may then be sent again. */
async function end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
  const { idempotency, db } = request.scope
  if (!idempotency) return
  const id = keyOf(request, idempotency.key)
  const { statusCode } = reply
  if (statusCode >= 500 || statusCode === 429) return free(request, id)
  const secret = request.routeOptions.config.secretAnswer && statusCode < 300
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  await transact(db, (tx) =>
    ofKey(tx.updateTable('platform.idempotency_keys'), id)
      .set({
        lockedUntil: request.now,
        effectAt: sql<Instant>`coalesce(effect_at, ${request.now})`,
        ...(!secret && {
          statusCode,
          headers: json(Object.fromEntries(headers)),
          body: typeof payload === 'string' ? payload : '',
        }),
      })
      .execute(),
  )
}

/**
 * Frees the key of a failed request, so that it can be sent again, unless it had changed something before. If
 * this fails too, the response is still sent, and the key is free once its time is over.
 */
async function free(request: FastifyRequest, id: Key): Promise<void> {
  try {
    await transact(request.scope.db, async (tx) => {
      await ofKey(tx.deleteFrom('platform.idempotency_keys'), id)
        .where('effectAt', 'is', null)
        .execute()
      await ofKey(tx.updateTable('platform.idempotency_keys'), id)
        .set({ lockedUntil: request.now })
        .execute()
    })
  } catch (error) {
    request.log.warn({ err: error, requestId: request.id }, 'idempotency key stays locked')
  }
}

type Filterable<Q> = { where(column: 'tenantId' | 'callerId' | 'key', op: '=', value: string): Q }

function ofKey<Q extends Filterable<Q>>(query: Q, { tenantId, callerId, key }: Key): Q {
  return query
    .where('tenantId', '=', tenantId)
    .where('callerId', '=', callerId)
    .where('key', '=', key)
}

function keyOf({ scope }: FastifyRequest, key: string): Key {
  // A bot is not a user: it is identified by its credential.
  const callerId = scope.caller?.userId || scope.caller?.credentialId || ''
  return { tenantId: scope.tenantId, callerId, key }
}

function hashOf({ method, url, body }: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, url, body]))
    .digest()
}

/** Deletes up to `limit` responses that are older than a day, of every tenant, and returns how many there were. */
export async function deleteOldAnswers(tx: Tx, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('platform.idempotency_keys')
    .where(sql<boolean>`ctid in (
      select ctid from platform.idempotency_keys where created_at < ${later(now, -KEPT_MS)}
      limit ${limit} for update skip locked)`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
