import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { notFound } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { originOf } from '#tenants'
import { findLinked } from '../people/queries.ts'
import { MemberParams } from '../snowflake.ts'
import { linkFor } from './kinds.ts'
import { insertDelivered, listUndelivered } from './queries.ts'
import { passedOnSince } from './rules.ts'
import { Acknowledged, Delivered, Messages, MessagesQuery } from './schema.ts'

const tags: Tag[] = ['Bot']
const config = { access: 'bot', permission: 'notifications:read' } as const
const OF_ALL = '/v1/bot/notifications'
const OF_ONE = '/v1/bot/users/:discordId/notifications'
const DEFAULT_LIMIT = 25

function linkedIn({ db, tenantId, params }: Pick<FastifyRequest, 'db' | 'tenantId' | 'params'>) {
  return findLinked(db, { tenantId, ...(params as Static<typeof MemberParams>) })
}

/** People's notifications, for bots that deliver them on Discord. */
export const messageRoutes: Routes = (app, { config: { publicUrl } }) => {
  async function pageOf(
    db: Db,
    wanted: Parameters<typeof listUndelivered>[1],
    { after = null, limit = DEFAULT_LIMIT }: { after?: string | null; limit?: number },
  ) {
    const rows = await listUndelivered(db, wanted, { after, limit: limit + 1 })
    const origin = await originOf(db, { publicUrl }, wanted.tenantId)
    const part = rows.slice(0, limit)
    const data = part.map((it) => {
      const link = linkFor(it)
      return { ...it, link: link && `${origin}${link}` }
    })
    return { data, nextCursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null }
  }

  function wantedBy(
    { tenantId, caller, now }: Pick<FastifyRequest, 'tenantId' | 'caller' | 'now'>,
    discordId: string | null = null,
  ) {
    return { tenantId, id: caller.credentialId, discordId, since: passedOnSince(now) }
  }

  app.route({
    method: 'GET',
    url: OF_ALL,
    config,
    schema: {
      tags,
      summary: 'List notifications of members that this bot has not acknowledged, oldest first',
      querystring: MessagesQuery,
      response: { 200: Messages },
    },
    handler: async (request) => pageOf(request.db, wantedBy(request), request.query),
  })

  app.route({
    method: 'POST',
    url: `${OF_ALL}/ack`,
    config,
    schema: {
      tags,
      summary: 'Acknowledge notifications, delivered or undeliverable: they are not listed again',
      body: Delivered,
      response: { 200: Acknowledged },
    },
    async handler(request) {
      const { ids } = request.body
      const wanted = wantedBy(request)
      return {
        acknowledged: await request.transact((tx) => insertDelivered(tx, wanted, ids)),
      }
    },
  })

  app.route({
    method: 'GET',
    url: OF_ONE,
    config,
    schema: {
      tags,
      summary: 'List notifications of one member that this bot has not acknowledged, oldest first',
      params: MemberParams,
      querystring: MessagesQuery,
      response: { 200: Messages, ...problems(404) },
    },
    async handler(request) {
      if (!(await linkedIn(request))) throw notFound('Member')
      return pageOf(request.db, wantedBy(request, request.params.discordId), request.query)
    },
  })

  app.route({
    method: 'POST',
    url: `${OF_ONE}/ack`,
    config: { ...config, exists: linkedIn },
    schema: {
      tags,
      summary: 'Acknowledge notifications of one member, delivered or undeliverable',
      params: MemberParams,
      body: Delivered,
      response: { 200: Acknowledged, ...problems(404) },
    },
    async handler(request) {
      const { ids } = request.body
      const wanted = wantedBy(request, request.params.discordId)
      return {
        acknowledged: await request.transact((tx) => insertDelivered(tx, wanted, ids)),
      }
    },
  })
}
