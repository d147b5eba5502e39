import { Type } from 'typebox'
import { type HowToPay, InvoiceSchema, PaymentSchema, preparePayment, startPayment } from '#billing'
import { creditBalance } from '#ledger'
import type { Caller } from '#lib/caller.ts'
import { type Cents, cents } from '#lib/money.ts'
import { Amount, IdParams, Nullable, Resource } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { invoiceOf, ownService } from '../lifecycle/routes.ts'
import { findServiceOf } from '../queries.ts'
import { viewOf } from '../rules.ts'
import { Service } from '../schema.ts'
import { orderUpgrade } from './actions.ts'
import { checkFit, doesNotFit } from './fits.ts'
import { assertMayPlan } from './planned.ts'
import { quoteTargets, quoteUpgrade, type UpgradeQuote } from './quote.ts'
import { assertQuoted, quotedAt, quotedUpgrade, tokenFor } from './quote-token.ts'
import {
  ChangeTerms,
  OptionsAfter,
  QuoteToken,
  Room,
  UpgradeOrder,
  UpgradeTarget,
} from './schema.ts'
import { goalOf, targetOf, upgradeTermsOf } from './view.ts'

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
      description:
        'With `preview`, answers what it costs now and changes nothing; an order with its `quote` costs exactly that for 15 minutes. Options of the service stay by their keys, at the prices of the new product; `options` chooses others. 422 `options_dropped` lists the options that the product does not offer and `dropOptions` does not name. A higher price is invoiced for the rest of the period, and the change happens once that is paid; a lower one takes effect with the next period, without credit unless the shop gives it: `effect` and `effectiveAt` say which. 409 `upgrade_in_progress`, `period_unpaid`, `planned_change_failed` and `quote_expired`, 422 `not_an_upgrade_target`, `plan_not_upgradable`, `options_invalid`, or the reason why the server does not fit, such as `disk_in_use`.',
      params: IdParams,
      body: UpgradeOrder,
      response: {
        200: Resource('PlacedUpgrade', {
          service: Service,
          ...ChangeTerms,
          ...OptionsAfter,
          ...Room,
          quote: QuoteToken,
          creditUsedCents: Amount,
          invoice: Nullable(InvoiceSchema),
          payment: Nullable(PaymentSchema),
        }),
        ...problems(403, 404, 409, 422),
      },
    },
    async handler({ db, caller, params, body, now, transact }) {
      const { tenantId } = caller
      const { preview, productId, planId, options, dropOptions, quote: token, ...payment } = body
      const { secrets } = deps
      const wish = {
        ...{ productId, options, isStaff: false },
        ...(planId && { planId }),
        ...(dropOptions && { dropOptions }),
      }
      const service = await ownService(db, caller, params.id)
      const shown = token === undefined || preview ? undefined : { token, secrets }
      const since = shown ? quotedAt(shown, now) : now
      const quoted = await quoteUpgrade(db, service, wish, now, since)
      if (shown) assertQuoted(shown, quotedUpgrade(service, wish, quoted))
      if (quoted.effect === 'next_period') await assertMayPlan(db, service, now)
      // This asks the panel, so it is done before the payment and outside a transaction.
      const misfit = await checkFit(deps, db, service, goalOf(quoted))
      const fits = misfit === undefined ? null : misfit === null
      if (preview) {
        return {
          ...{ service: viewOf(service), ...upgradeTermsOf(service, quoted) },
          ...{ fits, misfit: misfit ?? null },
          quote: tokenFor(secrets, quotedUpgrade(service, wish, quoted)),
          creditUsedCents: await creditFor(db, caller, quoted, payment),
          ...{ invoice: null, payment: null },
        }
      }
      if (misfit) throw doesNotFit(misfit)
      const { quote, invoice, prepared, usedCents } = await transact(async (tx) => {
        const wanted = { ...wish, serviceId: service.id, preview: shown }
        const ordered = await orderUpgrade(tx, caller, wanted, now)
        if (!ordered.invoice) return { ...ordered, prepared: null, usedCents: cents(0) }
        const means = { ...payment, invoiceId: ordered.invoice.id }
        const usedCents = await creditFor(tx, caller, ordered.quote, payment)
        const prepared = await preparePayment(tx, caller, means, now)
        return { ...ordered, prepared, usedCents }
      })
      const started = prepared && (await startPayment(deps, db, prepared))
      const after = await findServiceOf(db, caller, service.id)
      return {
        ...{ service: viewOf(after ?? service), ...upgradeTermsOf(service, quote) },
        ...{ fits, misfit: null, quote: null, creditUsedCents: usedCents },
        invoice: invoice && (await invoiceOf(db, { tenantId, invoiceId: invoice.id }, now)),
        payment: started,
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/services/:id/upgrade-targets',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Price a change of a service to each product it may change to',
      description:
        'Whether the server fits a product is answered by `POST /v1/services/{id}/upgrade` with `preview`.',
      params: IdParams,
      response: {
        200: Type.Object({ data: Type.Array(UpgradeTarget) }),
        ...problems(403, 404, 409, 422),
      },
    },
    async handler({ db, caller, params, now }) {
      const service = await ownService(db, caller, params.id)
      const quotes = await quoteTargets(db, service, now)
      return { data: quotes.map((quote) => targetOf(service, quote)) }
    },
  })
}

/** How much of a customer's credit an order of the change would use. */
export async function creditFor(
  db: Db,
  { tenantId, userId }: Caller,
  { effect, document: { totalCents, currency } }: UpgradeQuote,
  { useCredits = false }: HowToPay,
): Promise<Cents> {
  if (!useCredits || effect !== 'on_payment') return cents(0)
  return cents(Math.min(totalCents, await creditBalance(db, { tenantId, userId, currency })))
}
