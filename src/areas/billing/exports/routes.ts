import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { newId } from '#lib/id.ts'
import { conflict } from '#lib/problem.ts'
import { Timestamp } from '#lib/schema.ts'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { purposesIn } from '#notifications'
import type { UserKey } from '#platform/area.ts'
import { type Db, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findUser } from '#users'
import { endLease, takeLease } from './queries.ts'

const tags: Tag[] = ['Billing']
const LEASE_MS = 5 * MINUTE_MS
const SCHEMA_VERSION = 1

export const exportRoutes: Routes = async (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/billing/export-data',
    // People have a right to their own data even while the shop is suspended.
    config: { access: 'user', audited: true, whileSuspended: true },
    schema: {
      tags,
      summary: 'Export my personal data as JSON; one export at a time',
      response: {
        200: Type.Object(
          { schemaVersion: Type.Integer(), generatedAt: Timestamp, data: Type.Object({}) },
          { additionalProperties: true, headers: { 'Content-Disposition': { type: 'string' } } },
        ),
        ...problems(409),
      },
    },
    async handler({ caller, db, now, transact, method }, reply) {
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="export.json"')
        .serializer((it: Readable) => it as never)
      // A request for the headers alone reads nothing, so it takes no lease.
      if (method === 'HEAD') return reply.send(Readable.from([]) as never)
      const user = { tenantId: caller.tenantId, userId: caller.userId }
      const lease = { ...user, leaseId: newId(), heldUntil: later(now, LEASE_MS) }
      if (!(await transact((tx) => takeLease(tx, lease, now)))) {
        throw conflict('An export of your data is running already.', 'export_running')
      }
      return reply.send(Readable.from(exportOf(deps, db, lease, now)) as never)
    },
  })
}

/** The export piece by piece: area after area, and long lists row by row. */
async function* exportOf(
  { areas, log }: Deps,
  db: Db,
  lease: UserKey & { leaseId: string },
  now: Instant,
): AsyncGenerator<string> {
  try {
    const head = { schemaVersion: SCHEMA_VERSION, generatedAt: now }
    yield `${JSON.stringify(head).slice(0, -1)},"data":{`
    let first = true
    for (const { name, personalData } of areas) {
      if (!personalData) continue
      yield `${first ? '' : ','}${JSON.stringify(name)}:{`
      yield* partOf(await personalData(db, lease))
      yield '}'
      first = false
    }
    const locale = (await findUser(db, lease))?.locale ?? 'en'
    const names = areas.flatMap(({ purposes = [] }) => purposes)
    yield `},"purposes":${JSON.stringify(purposesIn(locale, names))}}`
  } catch (error) {
    log.error({ err: error }, 'an export of personal data failed')
    throw error
  } finally {
    await transact(db, (tx) => endLease(tx, lease))
  }
}

async function* partOf(part: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let first = true
  for (const [name, value] of Object.entries(part)) {
    yield `${first ? '' : ','}${JSON.stringify(name)}:`
    yield* jsonOf(value)
    first = false
  }
}

/** A value as JSON; rows that are read on demand become a list. */
async function* jsonOf(value: unknown): AsyncGenerator<string> {
  if (typeof value === 'function') {
    yield JSON.stringify(await value())
    return
  }
  if (!isRows(value)) {
    yield JSON.stringify(value ?? null)
    return
  }
  yield '['
  let first = true
  for await (const row of value) {
    yield `${first ? '' : ','}${JSON.stringify(row)}`
    first = false
  }
  yield ']'
}

function isRows(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
