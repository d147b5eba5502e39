import { Type } from 'typebox'
import {
  findInvoice,
  InvoiceSchema,
  invoiceView,
  PaymentSchema,
  partsOf,
  preparePayment,
  startPayment,
} from '#billing'
import type { Caller } from '#lib/caller.ts'
import { forbidden, notFound } from '#lib/problem.ts'
import { IdParams, Nullable } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { findServiceOf, type ServiceView } from '../queries.ts'
import { viewOf } from '../rules.ts'
import { Service } from '../schema.ts'
import { orderUpgrade } from './actions.ts'
import { quoteUpgrade } from './quote.ts'
import { Proration, UpgradeOrder } from './schema.ts'

const tags = ['Services']

export const upgradeRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/services/:id/upgrade',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, (params as { id: string }).id),
    },
    schema: {
      tags,
      summary: 'Upgrade a service to another product, or show what that costs',
      params: IdParams,
      body: UpgradeOrder,
      response: {
        200: Type.Object({
          service: Service,
          proration: Proration,
          invoice: Nullable(InvoiceSchema),
          payment: Nullable(PaymentSchema),
        }),
        ...problems(403, 404, 409, 422),
      },
    },
    async handler({ db, caller, params, body, now, transact }) {
      const { preview, productId, planId, ...payment } = body
      const wanted = { productId, ...(planId && { planId }) }
      const service = await ownService(db, caller, params.id)
      if (preview) {
        const { proration } = await quoteUpgrade(db, service, wanted, now)
        return { service: viewOf(service), proration, invoice: null, payment: null }
      }
      const { quote, invoice, prepared } = await transact(async (tx) => {
        const ordered = await orderUpgrade(tx, caller, { ...wanted, serviceId: service.id }, now)
        if (!ordered.invoice) return { ...ordered, prepared: null }
        const means = { ...payment, invoiceId: ordered.invoice.id }
        return { ...ordered, prepared: await preparePayment(tx, caller, means, now) }
      })
      const started = prepared && (await startPayment(deps, db, prepared))
      const after = await findServiceOf(db, caller, service.id)
      return {
        service: viewOf(after ?? service),
        proration: quote.proration,
        invoice: invoice && (await viewOfInvoice(db, invoice.id, caller.tenantId, now)),
        payment: started,
      }
    },
  })
}

/** A service of the caller's own. Throws 404, and 403 for one that is only shared with them. */
async function ownService(db: Db, caller: Caller, id: string): Promise<ServiceView> {
  const service = await findServiceOf(db, caller, id)
  if (!service) throw notFound('Service')
  if (service.role !== 'owner') throw forbidden('Only the owner may change what is paid for.')
  return service
}

async function viewOfInvoice(db: Db, invoiceId: string, tenantId: string, now: Instant) {
  const invoice = await findInvoice(db, { tenantId, invoiceId })
  return invoice ? invoiceView(invoice, await partsOf(db, { tenantId, invoiceId }), now) : null
}
