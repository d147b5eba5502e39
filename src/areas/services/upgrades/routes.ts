import { Type } from 'typebox'
import { InvoiceSchema, PaymentSchema, preparePayment, startPayment } from '#billing'
import { IdParams, Nullable } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { invoiceOf, ownService } from '../life/routes.ts'
import { findServiceOf } from '../queries.ts'
import { viewOf } from '../rules.ts'
import { Service } from '../schema.ts'
import { orderUpgrade } from './actions.ts'
import { assertFits } from './fits.ts'
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
      const { tenantId } = caller
      const { preview, productId, planId, ...payment } = body
      const wanted = { productId, ...(planId && { planId }) }
      const service = await ownService(db, caller, params.id)
      if (preview) {
        const { proration } = await quoteUpgrade(db, service, wanted, now)
        return { service: viewOf(service), proration, invoice: null, payment: null }
      }
      const { product } = await quoteUpgrade(db, service, wanted, now)
      // Before the money, and not in a transaction: it asks the panel.
      await assertFits(deps, db, service, product)
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
        invoice: invoice && (await invoiceOf(db, { tenantId, invoiceId: invoice.id }, now)),
        payment: started,
      }
    },
  })
}
