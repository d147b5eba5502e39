import { invalidCursor } from '#lib/problem.ts'
import { isLine, Page } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { DEFAULT_LIMIT } from '#platform/page.ts'
import { staffOf } from '../tickets/locking.ts'
import { countOpenWith, listTags } from './queries.ts'
import { tagFrom } from './rules.ts'
import { TagQuery, TicketTag } from './schema.ts'

/** The tags that staff put on tickets. */
export const tagRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/tickets/tags',
    config: { access: 'admin', permission: 'tickets:read' },
    schema: {
      tags: ['Admin - Support'],
      summary: 'List the tags of tickets by name, with how many open tickets have each',
      description: 'Only tags of tickets that the caller sees.',
      querystring: TagQuery,
      response: { 200: Page(TicketTag) },
    },
    async handler({ db, caller, query: { q = '', limit = DEFAULT_LIMIT, cursor } }) {
      const staff = await staffOf(db, caller)
      const after = cursor === undefined ? '' : placeIn(cursor)
      const found = await listTags(db, staff, { start: tagFrom(q), after, limit: limit + 1 })
      const names = found.slice(0, limit)
      const counts = await countOpenWith(db, staff, names)
      const last = found.length > limit ? names.at(-1) : undefined
      return {
        data: names.map((name) => ({ name, open: counts.get(name) ?? 0 })),
        nextCursor: last === undefined ? null : Buffer.from(last).toString('base64url'),
      }
    },
  })
}

/** The name in a cursor. Throws 400. */
function placeIn(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString()
  if (!isLine(name)) throw invalidCursor()
  return name
}
