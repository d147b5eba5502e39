import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { csvLine } from '#lib/csv.ts'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { FilterQuery, listShown } from './shown.ts'

const tags: Tag[] = ['Admin - Audit']
const BATCH = 500

const COLUMNS = [
  ...(['createdAt', 'sequence', 'id', 'actorId', 'actorKind', 'via', 'credentialId'] as const),
  ...(['impersonatorId', 'method', 'route', 'objectId', 'requestId', 'changed'] as const),
  ...(['statusCode', 'address'] as const),
] as const

export const exportRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/audit-logs/export',
    config: { access: 'admin', permission: 'audit:read' },
    schema: {
      tags,
      summary: 'Export audit entries as CSV, newest first; takes the filters of the list',
      produces: ['text/csv'],
      querystring: FilterQuery,
      response: { 200: Type.String() },
    },
    async handler({ tenantId, query, db, method }, reply) {
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit-log.csv"')
        .serializer((it: Readable) => it as never)
      if (method === 'HEAD') return reply.send(Readable.from([]) as never)
      const batches = batchesOf(db, tenantId, query)
      // Before anything is sent: what is wrong with the filters is still a 400.
      const first = await batches.next()
      async function* lines() {
        try {
          yield csvLine(COLUMNS)
          if (!first.done) yield first.value
          yield* batches
        } catch (error) {
          log.error({ err: error }, 'audit export')
          throw error
        }
      }
      return reply.send(Readable.from(lines()) as never)
    },
  })
}

/** The lines of all entries, a batch at a time: the log never stands in memory as a whole. */
async function* batchesOf(db: Db, tenantId: string, query: FilterQuery): AsyncGenerator<string> {
  let cursor: string | null | undefined
  do {
    const page = await listShown(db, tenantId, {
      ...query,
      limit: BATCH,
      ...(cursor && { cursor }),
    })
    yield page.data.map((entry) => csvLine(COLUMNS.map((name) => entry[name]))).join('')
    cursor = page.nextCursor
  } while (cursor)
}
