import { notFound } from '#lib/problem.ts'
import { IdParams } from '#lib/schema.ts'
import { findNode, outcomeOf, PanelError, roomOf } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { panelProblem } from '../live-status/problems.ts'
import { findSmallestProduct } from './queries.ts'
import { PanelRoom, PanelServers, ServersQuery } from './schema.ts'
import { serversOn } from './servers.ts'

const tags = ['Admin - Operations']

/** The servers on a panel and its free room, according to the panel's current answer. */
export const panelRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/nodes/:id/room',
    config: { access: 'admin', permission: 'nodes:read' },
    schema: {
      tags,
      summary: 'Get the machines and locations of a panel with the room on each',
      params: IdParams,
      response: { 200: PanelRoom, ...problems(404, 502) },
    },
    async handler({ db, tenantId, params: { id: nodeId } }) {
      const key = await existing(db, { tenantId, nodeId })
      const smallest = (await findSmallestProduct(db, key)) ?? null
      const room = await answered(roomOf(deps, db, key, smallest?.provisioning ?? null))
      return { smallest: smallest && { productId: smallest.id, name: smallest.name }, ...room }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/nodes/:id/servers',
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'List the servers of a panel with their services; a page has at most 100',
      params: IdParams,
      querystring: ServersQuery,
      response: { 200: PanelServers, ...problems(404, 502) },
    },
    async handler({ db, tenantId, params: { id: nodeId }, query }) {
      const key = await existing(db, { tenantId, nodeId })
      return answered(serversOn(deps, db, key, query))
    },
  })
}

async function existing<K extends { tenantId: string; nodeId: string }>(db: Db, key: K) {
  if (!(await findNode(db, { tenantId: key.tenantId, id: key.nodeId }))) throw notFound('Node')
  return key
}

/** The answer of a panel. Throws 502 if there is none. */
async function answered<T>(work: Promise<T>): Promise<T> {
  const outcome = await outcomeOf(work)
  if (outcome instanceof PanelError) throw panelProblem(outcome)
  return outcome
}
