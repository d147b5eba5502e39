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
import { checkFit, doesNotFit } from './fits.ts'
import { quoteTargets, quoteUpgrade } from './quote.ts'
import { assertQuoted, quotedAt, quotedUpgrade, tokenFor } from './quote-token.ts'
import {
  ChangeTerms,
  OptionsAfter,
  QuoteToken,
  Room,
  StaffUpgradeOrder,
  UpgradeTarget,
} from './schema.ts'
import { goalOf, targetOf, upgradeTermsOf } from './view.ts'

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
        'The terms are those of the customer, with hidden options, too. If something is due, the change waits until the customer has ' +
        'paid its invoice.',
      params: IdParams,
      body: StaffUpgradeOrder,
      response: {
        200: Resource('StaffUpgrade', {
          service: AdminService,
          ...ChangeTerms,
          ...OptionsAfter,
          ...Room,
          quote: QuoteToken,
          invoice: Nullable(InvoiceSchema),
        }),
        ...problems(404, 409, 422),
      },
    },
    async handler({ db, tenantId, params: { id }, body, now, transact }) {
      const key = { tenantId, id }
      const { preview, quote: token, ...wanted } = body
      const { secrets } = deps
      const wish = { ...wanted, isStaff: true }
      const service = await existing(db, key)
      const shown = token === undefined || preview ? undefined : { token, secrets }
      const since = shown ? quotedAt(shown, now) : now
      const quoted = await quoteUpgrade(db, service, wish, now, since)
      if (shown) assertQuoted(shown, quotedUpgrade(service, wish, quoted))
      // This asks the panel, so it is done before the change and outside a transaction.
      const misfit = await checkFit(deps, db, service, goalOf(quoted))
      const room = { fits: misfit === undefined ? null : misfit === null, misfit: misfit ?? null }
      if (preview) {
        return {
          ...{ service: await adminServiceOf(db, key, now), ...upgradeTermsOf(service, quoted) },
          ...{ ...room, quote: tokenFor(secrets, quotedUpgrade(service, wish, quoted)) },
          invoice: null,
        }
      }
      if (misfit) throw doesNotFit(misfit)
      return transact(async (tx) => {
        const ordered = { ...wish, serviceId: id, preview: shown }
        const { quote, invoice } = await orderUpgrade(tx, service, ordered, now)
        return {
          ...{ service: await adminServiceOf(tx, key, now), ...upgradeTermsOf(service, quote) },
          ...{ ...room, quote: null },
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
      const quotes = await quoteTargets(db, service, now)
      return { data: quotes.map((quote) => targetOf(service, quote)) }
    },
  })
}
