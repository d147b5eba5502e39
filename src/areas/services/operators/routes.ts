import { Type } from 'typebox'
import { conflict, notFound } from '#lib/problem.ts'
import { IdParams, NoBody, Page } from '#lib/schema.ts'
import { clientOf, findNode, PanelError, retestRefused } from '#panel'
import type { Db, Tx } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { POLLING, SAME_PAGE, unlessSame } from '#platform/http/polled.ts'
import { adminServiceOf } from '../admin-view.ts'
import { panelProblem } from '../live-status/problems.ts'
import { listAttempts } from '../provisioning/attempts.ts'
import { findService, lockService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { AdminService } from '../schema.ts'
import { attachService, refundService, replaceServer, retryNow } from './actions.ts'
import { listTroubled } from './queries.ts'
import {
  Attachment,
  ProvisioningAttempt,
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

/** What operators do about services that do not continue by themselves. */
export const operatorRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: `${url}/troubled`,
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary:
        'List services that failed or are stuck, with the cause and the amount paid; newest first',
      description: POLLING,
      querystring: TroubleFilters,
      response: { 200: Page(TroubledService), ...SAME_PAGE },
    },
    async handler(request, reply) {
      const { db, tenantId, query, now } = request
      const { data, nextCursor } = await listTroubled(db, tenantId, query, now)
      const views = await troubledViewsOf(db, tenantId, data, now)
      return unlessSame(request, reply, { data: views, nextCursor })
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id/attempts`,
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'List the last 20 failed attempts to set a service up, newest first',
      description:
        'They stay after an attempt succeeds, and until the account of the owner is deleted.',
      params: IdParams,
      response: {
        200: Type.Object({ data: Type.Array(ProvisioningAttempt) }),
        ...problems(404),
      },
    },
    async handler({ db, tenantId, params: { id } }) {
      const service = await existing(db, { tenantId, id })
      return { data: await listAttempts(db, { tenantId, serviceId: service.id }) }
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
      description:
        'A panel that last refused its key is tested first, so that a corrected key counts. 409 `nothing_to_retry`.',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminService, ...problems(404, 409) },
    },
    async handler({ db, tenantId, params: { id }, now, transact }) {
      await retestRefused(deps, db, tenantId)
      return transact(async (tx) => {
        await retryNow(tx, await locked(tx, { tenantId, id }), now)
        return adminServiceOf(tx, { tenantId, id }, now)
      })
    },
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
      description:
        'What an earlier attempt left behind is deleted first. 409 for a service that has its server or is being worked on, 422 `no_panel` where its egg is missing, and `location_fixed`.',
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
      description:
        'Answers the refund. 409 for a service with a server: terminate it, and refund its invoice.',
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
      description:
        'The server is looked up on the panel; state and suspension are then applied. 409 `server_not_found` and `service_managed`.',
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
