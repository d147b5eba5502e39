import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { listManagedRoles } from '../role-mappings/queries.ts'
import { findFeed } from '../roles/queries.ts'
import { acknowledge } from './actions.ts'
import { findApplied, listChanges, listMemberRoles } from './queries.ts'
import { NO_FEED, pageAfter } from './rules.ts'
import {
  Acknowledged,
  Acknowledgement,
  Changes,
  ChangesQuery,
  Members,
  MembersQuery,
} from './schema.ts'

const tags: Tag[] = ['Bot']
const config = { access: 'bot', permission: 'roles:read' } as const
const DEFAULT_LIMIT = 100

/** The feed by which bots keep the roles at Discord up to date. */
export const changeRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/bot/role-changes',
    config,
    schema: {
      tags,
      summary: 'List changes to the roles of members, oldest first',
      description:
        'Apply them in this order, then acknowledge the cursor. Without `after` the list continues after the acknowledged changes.',
      querystring: ChangesQuery,
      response: { 200: Changes },
    },
    async handler({ db, tenantId, caller, query: { after, limit = DEFAULT_LIMIT } }) {
      const key = { tenantId, id: caller.credentialId }
      const position = after === undefined ? await findApplied(db, key) : Number(after)
      const page = { after: position ?? 0, limit: limit + 1 }
      const rows = position === null ? [] : await listChanges(db, tenantId, page)
      // Read last, so that changes deleted meanwhile are noticed as missing.
      const ends = (await findFeed(db, tenantId)) ?? NO_FEED
      return pageAfter(position, ends, { rows, limit })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/bot/role-changes/ack',
    config,
    schema: {
      tags,
      summary: 'Acknowledge all role changes up to a cursor; an earlier cursor changes nothing',
      body: Acknowledgement,
      response: { 200: Acknowledged, ...problems(422) },
    },
    async handler({ body, tenantId, caller, transact }) {
      const key = { tenantId, id: caller.credentialId }
      const cursor = await transact((tx) => acknowledge(tx, key, Number(body.cursor)))
      return { cursor: String(cursor) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/bot/members',
    config,
    schema: {
      tags,
      summary: 'List members and the roles they should have, in the order of their ids',
      description: 'For a bot that starts, or that missed changes. `after` is `nextCursor`.',
      querystring: MembersQuery,
      response: { 200: Members },
    },
    async handler({ db, tenantId, query: { after = null, limit = DEFAULT_LIMIT } }) {
      const rows = await listMemberRoles(db, tenantId, { after, limit })
      const byMember = Map.groupBy(rows, ({ discordId }) => discordId)
      const data = [...byMember].map(([discordId, held]) => {
        return { discordId, roles: held.map(({ guildId, roleId }) => ({ guildId, roleId })) }
      })
      const last = data.length === limit ? data.at(-1) : undefined
      const managed = await listManagedRoles(db, tenantId)
      return { data, nextCursor: last?.discordId ?? null, managed }
    },
  })
}
