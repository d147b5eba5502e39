import { holds } from '#lib/caller.ts'
import { healthOf } from '#platform/health.ts'
import type { Routes } from '#platform/http/index.ts'
import { isDefaultTenant } from '#tenants'
import { rememberedFigures } from './figures.ts'
import { countOrders, findLastImport } from './queries.ts'
import { Dashboard } from './schema.ts'

const MOST_JOBS = 100

/** The dashboard, in one call. */
export const dashboardRoutes: Routes = (app, deps) => {
  const figuresFor = rememberedFigures()

  app.route({
    method: 'GET',
    url: '/v1/admin/dashboard',
    config: { access: 'admin', anyStaff: true },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Get sales, debts, orders, services, panels and health at a glance',
      description: 'Parts for which the caller lacks the permission are null',
      response: { 200: Dashboard },
    },
    async handler({ db, tenantId, caller, now }) {
      const may = (permission: string) => holds(caller.permissions, permission)
      const [figures, orders, lastImport, health] = await Promise.all([
        figuresFor(db, tenantId, now),
        may('orders:read') ? countOrders(db, tenantId) : null,
        may('imports:read') ? findLastImport(db, tenantId) : null,
        may('system:read') ? healthFor() : null,
      ])
      return {
        figuresAt: figures.at,
        sales: may('reports:read') ? figures.sales : null,
        overdue: may('invoices:read') ? figures.overdue : null,
        orders,
        services: may('services:read') ? figures.services : null,
        nodes: may('nodes:read') ? figures.nodes : null,
        lastImport: lastImport ?? null,
        health,
      }

      async function healthFor() {
        const platform = await isDefaultTenant(db, tenantId)
        const [{ status }, jobs] = await Promise.all([
          healthOf(deps),
          deps.queue.deadLetters({ tenantId, platform }, MOST_JOBS),
        ])
        return { status, failedJobs: jobs.length }
      }
    },
  })
}
