import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import {
  CountedPage,
  Id,
  IdParams,
  Line,
  ListQuery,
  OneOf,
  Page,
  PageQuery,
  Timestamp,
} from '#lib/schema.ts'
import { instant } from '#lib/time.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { POLLING, SAME_PAGE, unlessSame } from '#platform/http/polled.ts'
import { adminServiceOf, adminViewsOf } from './admin-view.ts'
import { pricesOf } from './details/prices.ts'
import { detailsOf } from './details/view.ts'
import { listServices } from './lists.ts'
import { reprovision } from './provisioning/actions.ts'
import { findServiceOf, listServicesOf, lockService } from './queries.ts'
import { viewOf } from './rules.ts'
import { AdminService, Service, ServiceDetails, ServiceStatus, SuspendReason } from './schema.ts'

/** What customers see of their services. */
export const serviceRoutes: Routes = (app) => {
  const tags = ['Services']

  app.route({
    method: 'GET',
    url: '/v1/services',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List my services, own and shared, newest first',
      querystring: Type.Object({
        ...PageQuery.properties,
        status: Type.Optional(ServiceStatus),
        role: Type.Optional(OneOf(['owner', 'member'])),
        q: Type.Optional({
          ...Line(100),
          description: 'Part of the name, the address, the product or the game, in any case',
        }),
      }),
      response: { 200: Page(Service), ...problems() },
    },
    async handler({ db, caller, query, now }) {
      const { data, nextCursor } = await listServicesOf(db, caller, query)
      const priceOf = await pricesOf(db, caller.tenantId, data, now)
      return { data: data.map((it) => viewOf(it, priceOf(it).prices)), nextCursor }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/services/:id',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'One of my services',
      params: IdParams,
      response: { 200: ServiceDetails, ...problems(404) },
    },
    async handler({ db, caller, params, now }) {
      const service = await findServiceOf(db, caller, params.id)
      if (!service) throw notFound('Service')
      return detailsOf(db, service, now)
    },
  })
}

/** What operators see of them, and do with those that failed. */
export const adminServiceRoutes: Routes = (app) => {
  const tags = ['Admin - Operations']
  const Filters = Type.Object({
    ...ListQuery.properties,
    userId: Type.Optional(Id),
    orderId: Type.Optional(Id),
    productId: Type.Optional(Id),
    planId: Type.Optional(Id),
    nodeId: Type.Optional(Id),
    status: Type.Optional(ServiceStatus),
    suspendReason: Type.Optional(SuspendReason),
    dueBefore: Type.Optional({ ...Timestamp, description: 'Its period ends before this' }),
    q: Type.Optional({
      ...Line(100),
      description: 'Prefix of a word of its name, its address or an id on the panel',
    }),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/services',
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'All services, newest first',
      description: POLLING,
      querystring: Filters,
      response: { 200: CountedPage(AdminService), ...SAME_PAGE },
    },
    async handler(request, reply) {
      const { db, tenantId, now } = request
      const { dueBefore, ...query } = request.query
      const due = dueBefore === undefined ? {} : { dueBefore: instant(dueBefore) }
      const page = await listServices(db, tenantId, { ...query, ...due })
      const data = await adminViewsOf(db, tenantId, page.data, now)
      return unlessSame(request, reply, { ...page, data })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id',
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'Get a service with the progress of its provisioning',
      params: IdParams,
      response: { 200: AdminService, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id }, now }) {
      return adminServiceOf(db, { tenantId, id }, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/reprovision',
    config: { access: 'admin', permission: 'services:write' },
    schema: {
      tags,
      summary: 'Provision a failed service again',
      description: 'A job sets the server up again. 409 unless the service has failed.',
      params: IdParams,
      response: { 200: AdminService, ...problems(404, 409) },
    },
    async handler({ tenantId, params: { id }, now, transact }) {
      return transact(async (tx) => {
        const locked = await lockService(tx, { tenantId, id })
        if (!locked) throw notFound('Service')
        await reprovision(tx, locked, now)
        return adminServiceOf(tx, { tenantId, id }, now)
      })
    },
  })
}
