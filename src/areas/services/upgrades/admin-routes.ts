import { Type } from 'typebox'
import { InvoiceSchema } from '#billing'
import { notFound } from '#lib/problem.ts'
import { IdParams, Nullable, Resource } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { adminServiceOf } from '../admin-view.ts'
import { invoiceOf } from '../lifecycle/routes.ts'
import { findService, type ServiceKey, type ServiceRow } from '../queries.ts'
import { AdminService } from '../schema.ts'
import { orderUpgrade } from './actions.ts'
import { doesNotFit, lookWhetherFits } from './fits.ts'
import { quoteTargets, quoteUpgrade } from './quote.ts'
import { ChangeTerms, Room, StaffUpgradeOrder, UpgradeTarget } from './schema.ts'
import { goalOf, targetOf, termsOf } from './view.ts'

const tags = ['Admin - Operations']
const idOf = (params: unknown) => (params as { id: string }).id

export async function existing(db: Db, key: ServiceKey): Promise<ServiceRow> {
  const service = await findService(db, key)
  if (!service) throw notFound('Service')
  return service
}

/** Changes of plan that staff make for a customer. */
export const adminUpgradeRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/upgrade',
    config: {
      ...{ access: 'admin', permission: 'services:write' },
      exists: ({ db, tenantId, params }) => existing(db, { tenantId, id: idOf(params) }),
    },
    schema: {
      tags,
      summary: 'Upgrade or downgrade a service for its customer, or preview the cost',
      description:
        'The terms are those of the customer. If something is due, the change waits until the customer has ' +
        'paid its invoice.',
      params: IdParams,
      body: StaffUpgradeOrder,
      response: {
        200: Resource('StaffUpgrade', {
          service: AdminService,
          ...ChangeTerms,
          ...Room,
          invoice: Nullable(InvoiceSchema),
        }),
        ...problems(404, 409, 422),
      },
    },
    async handler({ db, tenantId, params: { id }, body, now, transact }) {
      const key = { tenantId, id }
      const { preview, ...wanted } = body
      const service = await existing(db, key)
      const quoted = await quoteUpgrade(db, service, wanted, now)
      // This asks the panel, so it is done before the change and outside a transaction.
      const misfit = await lookWhetherFits(deps, db, service, goalOf(quoted))
      const room = { fits: misfit === undefined ? null : misfit === null, misfit: misfit ?? null }
      if (preview) {
        const shown = await adminServiceOf(db, key, now)
        return { service: shown, ...termsOf(quoted), ...room, invoice: null }
      }
      if (misfit) throw doesNotFit(misfit)
      return transact(async (tx) => {
        const { quote, invoice } = await orderUpgrade(
          tx,
          service,
          { ...wanted, serviceId: id },
          now,
        )
        return {
          ...{ service: await adminServiceOf(tx, key, now), ...termsOf(quote), ...room },
          invoice: invoice && (await invoiceOf(tx, { tenantId, invoiceId: invoice.id }, now)),
        }
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id/upgrade-targets',
    config: { access: 'admin', permission: 'services:write' },
    schema: {
      tags,
      summary: 'List the products that a service can change to, with prices',
      params: IdParams,
      response: {
        200: Type.Object({ data: Type.Array(UpgradeTarget) }),
        ...problems(404, 409, 422),
      },
    },
    async handler({ db, tenantId, params: { id }, now }) {
      const service = await existing(db, { tenantId, id })
      return { data: (await quoteTargets(db, service, now)).map(targetOf) }
    },
  })
}
