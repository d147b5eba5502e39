import { notFound } from '#lib/problem.ts'
import { IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { adminServiceOf } from '../admin-view.ts'
import { findService } from '../queries.ts'
import { AdminService } from '../schema.ts'
import { giveFreeDays } from './actions.ts'
import { FreeDays } from './schema.ts'

/** Lets staff give a service free days. */
export const freeDaysRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/free-days',
    config: {
      ...{ access: 'admin', permission: 'services:write' },
      exists: async ({ db, tenantId, params }) => {
        const { id } = params as { id: string }
        const service = await findService(db, { tenantId, id })
        if (!service) throw notFound('Service')
        return service
      },
    },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Give a service free days after the period that is paid',
      description:
        'An unpaid invoice for the next period is made again. While free days last, a costlier plan costs the difference. The same days for the same reason are given once in 24 hours.',
      params: IdParams,
      body: FreeDays,
      response: { 200: AdminService, ...problems(404, 409, 422) },
    },
    async handler({ tenantId, params: { id }, body, now, transact }) {
      return transact(async (tx) => {
        await giveFreeDays(tx, { tenantId, id }, body, now)
        return adminServiceOf(tx, { tenantId, id }, now)
      })
    },
  })
}
