import { notFound, unprocessable } from '#lib/problem.ts'
import { IdParams, NoBody } from '#lib/schema.ts'
import { clientOf, findNode, PanelError } from '#panel'
import { type Db, isUniqueViolation } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { adminServiceOf } from '../admin-view.ts'
import { panelProblem } from '../live-status/problems.ts'
import { findServiceByExternalId } from '../queries.ts'
import { AdminService } from '../schema.ts'
import { beginComparison, orderRepairs } from './actions.ts'
import { adoptServer, assertKnown, serverInUse } from './adoption.ts'
import { listFindings } from './queries.ts'
import { Adoption, Drift, DriftFilters, RepairOrder, RepairQueued, Report } from './schema.ts'
import { findingView, reportOf } from './view.ts'

const tags = ['Admin - Operations']
const url = '/v1/admin/nodes/:id'
const writing = { access: 'admin', permission: 'services:write' } as const

const idOf = (params: unknown) => (params as { id: string }).id

/** A panel connection. Throws 404. */
async function existing(db: Db, tenantId: string, id: string) {
  const node = await findNode(db, { tenantId, id })
  if (!node) throw notFound('Node')
  return node
}

/** Differences between panels and services, and how operators repair them. */
export const driftRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: `${url}/drift`,
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'Get the last comparison of a panel with the services',
      params: IdParams,
      querystring: DriftFilters,
      response: { 200: Drift, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id: nodeId }, query }) {
      await existing(db, tenantId, nodeId)
      const { data, nextCursor } = await listFindings(db, { tenantId, nodeId }, query)
      const report = await reportOf(db, { tenantId, nodeId })
      return { report, data: data.map(findingView), nextCursor }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/drift`,
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) => existing(db, tenantId, idOf(params)),
    },
    schema: {
      tags,
      operationId: 'admin.nodes.drift.compare',
      summary: 'Compare a panel with the services; one comparison of a panel runs at a time',
      description: 'A job reads the panel; read the result with `GET`.',
      params: IdParams,
      body: NoBody,
      response: { 202: Report, ...problems(404) },
    },
    async handler({ tenantId, params: { id: nodeId }, now, transact }, reply) {
      const report = await transact(async (tx) => {
        await existing(tx, tenantId, nodeId)
        await beginComparison(tx, { tenantId, nodeId }, now)
        return reportOf(tx, { tenantId, nodeId })
      })
      if (!report) throw notFound('Report')
      reply.code(202)
      return report
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/drift/repair`,
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) => existing(db, tenantId, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Repair differences of a comparison: all of a kind, or those named',
      description:
        'Jobs look again and change only what still differs; `queued` says how many. 409 `comparison_not_finished`.',
      params: IdParams,
      body: RepairOrder,
      response: { 202: RepairQueued, ...problems(404, 409) },
    },
    async handler({ tenantId, params: { id: nodeId }, body, now, transact }, reply) {
      const queued = await transact(async (tx) => {
        await existing(tx, tenantId, nodeId)
        return orderRepairs(tx, { tenantId, nodeId }, body, now)
      })
      reply.code(202)
      return { queued }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/adopt`,
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) => existing(db, tenantId, idOf(params)),
    },
    schema: {
      tags,
      summary: 'Create a service from an existing server of a panel',
      description:
        'Nothing is invoiced now: it renews at the price of the plan from the given end of the paid period. 409 `server_in_use`, 422 `server_not_found`, `egg_differs`, `plan_not_adoptable` or `period_end_required`.',
      params: IdParams,
      body: Adoption,
      response: { 201: AdminService, ...problems(404, 409, 422, 502) },
    },
    async handler({ db, tenantId, params: { id: nodeId }, body, now, transact }, reply) {
      await existing(db, tenantId, nodeId)
      await assertKnown(db, tenantId, body)
      const server = await serverOn()
      // A panel may be shared with another shop, whose servers stay its own.
      const { externalId } = server
      const owner = externalId
        ? await findServiceByExternalId(deps.database.everywhere, externalId)
        : undefined
      if (owner && !owner.endedAt) throw serverInUse()
      const service = await transact(async (tx) => {
        const id = await adoptServer(tx, { tenantId, nodeId, server }, body, now)
        return adminServiceOf(tx, { tenantId, id }, now)
      }).catch((error: unknown) => {
        // Another request adopted it at the same time.
        if (isUniqueViolation(error, 'one_adoption_per_server')) throw serverInUse()
        throw error
      })
      reply.code(201)
      return service

      async function serverOn() {
        try {
          const client = await clientOf(deps, db, { tenantId, nodeId })
          return await client.getServer(body.serverId)
        } catch (error) {
          if (!(error instanceof PanelError)) throw error
          if (error.kind !== 'not_found') throw panelProblem(error)
        }
        throw unprocessable('The panel has no such server.', 'server_not_found', [
          { path: 'serverId', message: 'is not on this panel' },
        ])
      }
    },
  })
}
