import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Body, Deleted, Nullable, OneOf, Page, Resource, Timestamp } from '#lib/schema.ts'
import { SECOND_MS } from '#lib/time.ts'
import { moveClock } from '#platform/clock.ts'
import type { Db } from '#platform/database/index.ts'
import type { Whose } from '#platform/dead-letters.ts'
import { BulkResult, inTurn } from '#platform/http/bulk.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { isDefaultTenant } from '#tenants'

const MAX_SHOWN = 100
const MAX_ADVANCE_SECONDS = 10 * 366 * 24 * 3600

const DeadLetter = Resource('FailedJob', {
  id: Type.String(),
  name: Type.String(),
  payload: Type.Unsafe<unknown>({}),
  error: Nullable(Type.String()),
  failedAt: Timestamp,
})
const RetryJobs = Body({
  action: OneOf(['retry']),
  ids: Type.Array(Type.String({ format: 'uuid-any' }), {
    ...{ minItems: 1, maxItems: MAX_SHOWN, uniqueItems: true },
  }),
  dryRun: Type.Optional(Type.Boolean({ default: false })),
})
const JobParams = Type.Object({ id: Type.String({ format: 'uuid-any' }) })

/** What an operator does with work that has failed finally, after its last attempt. */
export const operationRoutes: Routes = (app, deps) => {
  const { queue, database, clock, config } = deps
  const operations = ['Admin - Operations']
  app.route({
    method: 'GET',
    url: '/v1/admin/jobs',
    config: { access: 'admin', permission: 'system:read' },
    schema: {
      tags: operations,
      summary: 'Jobs that failed for the last time, newest first',
      response: { 200: Page(DeadLetter) },
    },
    async handler({ db, tenantId }) {
      const data = await queue.deadLetters(await whose(db, tenantId), MAX_SHOWN)
      return { data, nextCursor: null }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/jobs/:id/retry',
    config: { access: 'admin', permission: 'system:write' },
    schema: {
      tags: operations,
      summary: 'Run a failed job again',
      description: '404 unless it is among the failed jobs.',
      params: JobParams,
      response: { 200: Type.Object({ id: Type.String(), retried: Type.Boolean() }) },
    },
    async handler({ db, tenantId, params: { id } }) {
      if (!(await queue.retry(await whose(db, tenantId), id))) throw notFound('Failed job')
      return { id, retried: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/jobs/bulk',
    config: { access: 'admin', permission: 'system:write' },
    schema: {
      tags: operations,
      summary: 'Run several failed jobs again',
      description:
        'A job that is not among the failed ones does not stop the others. With `dryRun` nothing runs, and the answer is the expected result.',
      body: RetryJobs,
      response: { 200: BulkResult },
    },
    async handler(request) {
      const { body, db, tenantId } = request
      const owner = await whose(db, tenantId)
      return inTurn(body, request, async (id) => {
        const isThere = body.dryRun ? await queue.isDead(owner, id) : await queue.retry(owner, id)
        if (!isThere) throw notFound('Failed job')
        return 'done'
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/jobs/:id',
    config: { access: 'admin', permission: 'system:write' },
    schema: {
      tags: operations,
      summary: 'Discard a failed job',
      description: 'Its work is not done. The failure stays in the log.',
      params: JobParams,
      response: { 200: Deleted },
    },
    async handler({ db, tenantId, params: { id } }) {
      if (!(await queue.discard(await whose(db, tenantId), id))) throw notFound('Failed job')
      return { id, deleted: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/clock',
    config: { access: 'admin', permission: 'system:write' },
    schema: {
      tags: operations,
      operationId: 'admin.clock.advance',
      summary: 'Move the clock forward; in the demo and in tests only',
      description: 'Work that becomes due runs. 404 elsewhere.',
      body: Body({ advanceSeconds: Type.Integer({ minimum: 0, maximum: MAX_ADVANCE_SECONDS }) }),
      response: { 200: Type.Object({ now: Timestamp }), ...problems(404) },
    },
    async handler({ body: { advanceSeconds } }) {
      if (!config.movableClock) throw notFound('Route')
      await moveClock(database, clock, advanceSeconds * SECOND_MS)
      await queue.runSchedules()
      return { now: clock.now() }
    },
  })
}

/**
 * Work without a tenant belongs to the platform, whose operators are the staff of the default
 * tenant.
 */
async function whose(db: Db, tenantId: string): Promise<Whose> {
  return { tenantId, platform: await isDefaultTenant(db, tenantId) }
}
