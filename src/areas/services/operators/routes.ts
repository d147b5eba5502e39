import { conflict, notFound } from '#lib/problem.ts'
import { IdParams, NoBody, Page } from '#lib/schema.ts'
import { clientOf, findNode, PanelError } from '#panel'
import type { Db, Tx } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { adminServiceOf } from '../admin-view.ts'
import { panelProblem } from '../live/problems.ts'
import { findService, lockService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { AdminService } from '../schema.ts'
import { attachService, refundService, replaceServer, retryNow } from './actions.ts'
import { listTroubled } from './queries.ts'
import {
  Attachment,
  Refunded,
  RefundOrder,
  Replacement,
  TroubledService,
  TroubleFilters,
} from './schema.ts'
import { troubledViewsOf } from './view.ts'

const tags = ['Admin - Operations']
const writing = { access: 'admin', permission: 'services:write' } as const
const url = '/v1/admin/services'

const idOf = (params: unknown) => (params as { id: string }).id

async function existing(db: Db, key: ServiceKey): Promise<ServiceRow> {
  const service = await findService(db, key)
  if (!service) throw notFound('Service')
  return service
}

async function locked(tx: Tx, key: ServiceKey): Promise<ServiceRow> {
  const service = await lockService(tx, key)
  if (!service) throw notFound('Service')
  return service
}

/** What operators do about services that do not get on by themselves. */
export const operatorRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: `${url}/troubled`,
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary:
        'List services that failed or are stuck, with the cause and the amount paid; newest first',
      querystring: TroubleFilters,
      response: { 200: Page(TroubledService) },
    },
    async handler({ db, tenantId, query, now }) {
      const { data, nextCursor } = await listTroubled(db, tenantId, query, now)
      return { data: await troubledViewsOf(db, tenantId, data, now), nextCursor }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/retry`,
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Retry the pending operation of a service at once',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminService, ...problems(404, 409) },
    },
    handler: ({ tenantId, params: { id }, now, transact }) =>
      transact(async (tx) => {
        await retryNow(tx, await locked(tx, { tenantId, id }), now)
        return adminServiceOf(tx, { tenantId, id }, now)
      }),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/replace`,
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Provision a service elsewhere, once its first server is confirmed not to exist',
      params: IdParams,
      body: Replacement,
      response: { 200: AdminService, ...problems(404, 409, 422) },
    },
    handler: ({ tenantId, params: { id }, body, now, transact }) =>
      transact(async (tx) => {
        await replaceServer(tx, await locked(tx, { tenantId, id }), body, now)
        return adminServiceOf(tx, { tenantId, id }, now)
      }),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/refund`,
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Refund a service that could not be provisioned, and end it',
      params: IdParams,
      body: RefundOrder,
      response: { 200: Refunded, ...problems(404, 409) },
    },
    handler: ({ tenantId, params: { id }, body, now, transact }) =>
      transact(async (tx) => {
        const refundCents = await refundService(tx, await locked(tx, { tenantId, id }), body, now)
        const service = await adminServiceOf(tx, { tenantId, id }, now)
        return { service, refundCents, currency: service.currency }
      }),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/attach`,
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Attach a service whose panel connection was deleted to another that has its server',
      params: IdParams,
      body: Attachment,
      response: { 200: AdminService, ...problems(404, 409, 502) },
    },
    async handler({ db, tenantId, params: { id }, body: { nodeId }, now, transact }) {
      const { externalId } = await existing(db, { tenantId, id })
      if (!(await findNode(db, { tenantId, id: nodeId }))) throw notFound('Node')
      const server = await serverOn()
      return transact(async (tx) => {
        if (!(await findNode(tx, { tenantId, id: nodeId }))) throw notFound('Node')
        await attachService(tx, await locked(tx, { tenantId, id }), { nodeId, server })
        return adminServiceOf(tx, { tenantId, id }, now)
      })

      async function serverOn() {
        try {
          const client = await clientOf(deps, db, { tenantId, nodeId })
          const found = await client.findServerByExternalId(externalId)
          if (found) return found
        } catch (error) {
          if (!(error instanceof PanelError)) throw error
          throw panelProblem(error)
        }
        throw conflict('Its server is not on that panel.', 'server_not_found')
      }
    },
  })
}
