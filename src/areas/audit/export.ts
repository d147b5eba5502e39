import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { csvLine } from '#lib/csv.ts'
import type { Area } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { Change } from '#platform/http/differences.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { FilterQuery, listEntryViews } from './view.ts'

const tags: Tag[] = ['Admin - Audit']
const BATCH = 500

const COLUMNS = [
  ...(['createdAt', 'sequence', 'id', 'actorId', 'actorName', 'actorKind', 'via'] as const),
  ...(['credentialId', 'impersonatorId', 'impersonatorName', 'method', 'route'] as const),
  ...(['objectId', 'object', 'requestId', 'changed', 'changes', 'statusCode', 'address'] as const),
] as const

export const exportRoutes: Routes = (app, { log, areas }) => {
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
      const batches = batchesOf({ db, tenantId, areas }, query)
      // Before anything is sent, so that invalid filters still get a 400.
      const first = await batches.next()
      async function* lines() {
        try {
          yield csvLine(COLUMNS)
          if (!first.done) yield first.value
          yield* batches
        } catch (error) {
          log.error({ err: error }, 'an export of the audit log failed')
          throw error
        }
      }
      return reply.send(Readable.from(lines()) as never)
    },
  })
}

/** The lines of all entries, a batch at a time: the log is never in memory as a whole. */
async function* batchesOf(
  shop: { db: Db; tenantId: string; areas: readonly Area[] },
  query: FilterQuery,
): AsyncGenerator<string> {
  let cursor: string | null | undefined
  do {
    const page = await listEntryViews(shop, {
      ...query,
      limit: BATCH,
      ...(cursor && { cursor }),
    })
    const lines = page.data.map(({ object, changes, ...entry }) => {
      const told = {
        object: object?.name ?? null,
        changes: changes.map(inWords).join('; ') || null,
      }
      const cells = { ...entry, ...told }
      return csvLine(COLUMNS.map((name) => cells[name]))
    })
    yield lines.join('')
    cursor = page.nextCursor
  } while (cursor)
}

function inWords({ path, before, after }: Change): string {
  return `${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`
}
