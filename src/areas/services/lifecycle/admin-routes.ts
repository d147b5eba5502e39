import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, NoBody } from '#lib/schema.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { adminServiceOf } from '../admin-view.ts'
import { leave } from '../leaving/actions.ts'
import { findService, lockService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { AdminService } from '../schema.ts'
import { suspendFor } from '../states/actions.ts'
import { abandonUpgrade } from '../upgrades/actions.ts'
import { changeAsAdmin, terminating, unsuspend } from './actions.ts'
import { AdminServiceChange, Termination } from './schema.ts'

const tags = ['Admin - Operations']
const access = { access: 'admin', permission: 'services:write' } as const

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

/** What administrators do with the services of their customers. */
export const adminLifeRoutes: Routes = (app) => {
  app.route({
    method: 'PATCH',
    url: '/v1/admin/services/:id',
    config: {
      ...access,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Change a service, or its price from a date on',
      description:
        'A new price needs `effectiveFrom`, at least 30 days ahead, and its owner is notified. `locationId` records a move that staff have made. 422 `price_notice_too_short`.',
      params: IdParams,
      body: AdminServiceChange,
      response: { 200: AdminService, ...problems(404, 409, 422) },
    },
    async handler({ tenantId, params: { id }, body, now, transact }) {
      return transact(async (tx) => {
        await changeAsAdmin(tx, await locked(tx, { tenantId, id }), body, now)
        return adminServiceOf(tx, { tenantId, id }, now)
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/suspend',
    config: {
      ...access,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Suspend a service; recorded once the panel has confirmed it',
      description:
        'Paying does not lift it; `unsuspend` does. 409 for a service that cannot be suspended.',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminService, ...problems(404, 409) },
    },
    async handler({ tenantId, params: { id }, now, transact }) {
      return transact(async (tx) => {
        await suspendFor(tx, await locked(tx, { tenantId, id }), 'admin', now)
        return adminServiceOf(tx, { tenantId, id }, now)
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/unsuspend',
    config: {
      ...access,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Unsuspend a service, whatever the reason; unpaid amounts are due again',
      description: '409 `service_not_suspended`.',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminService, ...problems(404, 409) },
    },
    async handler({ tenantId, params: { id }, now, transact }) {
      return transact(async (tx) => {
        await unsuspend(tx, await locked(tx, { tenantId, id }), now)
        return adminServiceOf(tx, { tenantId, id }, now)
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/terminate',
    config: {
      ...access,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'End a service and delete its server; recorded once the panel has confirmed it',
      description:
        '`terminate-preview` shows what it bills and credits. 409 `service_ended` or `service_ending`.',
      params: IdParams,
      body: Type.Optional(Termination),
      response: { 200: AdminService, ...problems(404, 409) },
    },
    async handler({ tenantId, params: { id }, body, now, transact }) {
      const { reason, keepData: keepsData } = body ?? {}
      return transact(async (tx) => {
        const service = await locked(tx, { tenantId, id })
        await leave(tx, service, terminating(reason, keepsData), now)
        return adminServiceOf(tx, { tenantId, id }, now)
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/cancel-upgrade',
    config: {
      ...access,
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Cancel the pending upgrade of a service; the amount paid becomes credit',
      description: '409 `no_upgrade`.',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminService, ...problems(404, 409) },
    },
    async handler({ tenantId, params: { id }, now, transact }) {
      return transact(async (tx) => {
        await existing(tx, { tenantId, id })
        await abandonUpgrade(tx, { tenantId, id }, now)
        return adminServiceOf(tx, { tenantId, id }, now)
      })
    },
  })
}
