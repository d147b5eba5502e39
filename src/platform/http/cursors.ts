import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { invalidCursor } from '#lib/problem.ts'
import type { App } from './index.ts'

const MARK_LENGTH = 8

/**
 * Binds the cursors of lists to their list: its path, filters and order. In another list a cursor would be
 * meaningless, and lead to an empty or a wrong page, so it is refused with 400. The page size, and whether
 * entries are counted, may differ from page to page.
 */
export function bindCursors(app: App): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const query = request.query as { cursor?: unknown }
    if (typeof query.cursor !== 'string' || !isList(request)) return done()
    const mark = markOf(request)
    if (!query.cursor.startsWith(mark)) throw invalidCursor()
    query.cursor = query.cursor.slice(MARK_LENGTH)
    done()
  })
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const { nextCursor } = (payload ?? {}) as { nextCursor?: unknown }
    if (typeof nextCursor !== 'string' || !isList(request)) return done(null, payload)
    done(null, { ...(payload as object), nextCursor: `${markOf(request)}${nextCursor}` })
  })
}

function isList({ routeOptions }: FastifyRequest): boolean {
  const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as { properties?: object }
  return 'cursor' in properties
}

/** A short hash of the list that a request reads. */
function markOf({ routeOptions, params, query }: FastifyRequest): string {
  const { limit: _, cursor: __, count: ___, ...filters } = query as Record<string, unknown>
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  const listed = JSON.stringify([routeOptions.url, params, sorted])
  return hash('sha256', listed, 'base64url').slice(0, MARK_LENGTH)
}
