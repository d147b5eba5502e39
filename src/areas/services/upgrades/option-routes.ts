import { Type } from 'typebox'
import { InvoiceSchema, PaymentSchema, preparePayment, startPayment } from '#billing'
import { cents } from '#lib/money.ts'
import { Amount, Id, IdParams, Nullable, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { readerLocale } from '#store'
import { invoiceOf, ownService } from '../lifecycle/routes.ts'
import { findServiceOf } from '../queries.ts'
import { viewOf } from '../rules.ts'
import { Service } from '../schema.ts'
import { orderOptions, unscheduleOption } from './actions.ts'
import { checkFit, doesNotFit } from './fits.ts'
import { quoteOptions } from './option-quote.ts'
import { optionsOfService } from './options-view.ts'
import { assertMayPlan } from './planned.ts'
import { assertQuoted, quotedAt, quotedOptions, tokenFor } from './quote-token.ts'
import { creditFor } from './routes.ts'
import { OnPlan, OptionOrder, OptionTerms, QuoteToken, Room, ServiceOptions } from './schema.ts'
import { goalOf, optionTermsOf } from './view.ts'

const tags = ['Services']

/** The options of a service, and how its owner changes them. */
export const optionRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/options',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List the options of a service, with what it may change to',
      params: IdParams,
      querystring: OnPlan,
      response: { 200: ServiceOptions, ...problems(403, 404, 409, 422) },
    },
    async handler(request) {
      const { db, caller, params, query, now } = request
      const service = await ownService(db, caller, params.id)
      const reader = { isStaff: false, locale: readerLocale(request) }
      return optionsOfService(db, service, { ...reader, planId: query.planId }, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/services/:id/options',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, (params as { id: string }).id),
    },
    schema: {
      tags,
      summary: 'Change options of a service, or show what that costs',
      description:
        'With `preview`, answers what it costs now and changes nothing; an order with its `quote` costs exactly that for 15 minutes. What costs more is invoiced for the rest of the period and made once that is paid; what costs less changes with the next period, without credit unless the shop gives it. 409 `upgrade_in_progress`, `period_unpaid`, `change_planned`, `planned_change_failed`, `next_period_paid` and `quote_expired`; 422 `options_invalid` with a code for each option, `options_unchanged`, `option_fixed`, `out_of_stock`, or the reason why the server does not fit, such as `no_capacity`.',
      params: IdParams,
      body: OptionOrder,
      response: {
        200: Resource('PlacedOptionChange', {
          service: Service,
          ...OptionTerms,
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
      const { preview, options, quote: token, ...payment } = body
      const { secrets } = deps
      const wish = { options, isStaff: false, waive: false }
      const service = await ownService(db, caller, params.id)
      const shown = token === undefined || preview ? undefined : { token, secrets }
      const since = shown ? quotedAt(shown, now) : now
      const quoted = await quoteOptions(db, service, wish, now, since)
      if (shown) assertQuoted(shown, quotedOptions(service, wish, quoted))
      if (quoted.scheduled.length > 0) await assertMayPlan(db, service, now)
      // This asks the panel, so it is done before the payment and outside a transaction.
      const misfit = await checkFit(deps, db, service, goalOf(quoted))
      const fits = misfit === undefined ? null : misfit === null
      if (preview) {
        return {
          ...{ service: viewOf(service), ...optionTermsOf(quoted), fits, misfit: misfit ?? null },
          quote: tokenFor(secrets, quotedOptions(service, wish, quoted)),
          creditUsedCents: await creditFor(db, caller, quoted, payment),
          ...{ invoice: null, payment: null },
        }
      }
      if (misfit) throw doesNotFit(misfit)
      const { quote, invoice, prepared, usedCents } = await transact(async (tx) => {
        const wanted = { ...wish, serviceId: service.id, preview: shown }
        const ordered = await orderOptions(tx, caller, wanted, now)
        if (!ordered.invoice) return { ...ordered, prepared: null, usedCents: cents(0) }
        const means = { ...payment, invoiceId: ordered.invoice.id }
        const usedCents = await creditFor(tx, caller, ordered.quote, payment)
        const prepared = await preparePayment(tx, caller, means, now)
        return { ...ordered, prepared, usedCents }
      })
      const started = prepared && (await startPayment(deps, db, prepared))
      const after = await findServiceOf(db, caller, service.id)
      return {
        ...{ service: viewOf(after ?? service), ...optionTermsOf(quote), fits, misfit: null },
        ...{ quote: null, creditUsedCents: usedCents },
        invoice: invoice && (await invoiceOf(db, { tenantId, invoiceId: invoice.id }, now)),
        payment: started,
      }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/services/:id/options/scheduled/:key',
    config: {
      access: 'user',
      exists: ({ db, caller, params }) => ownService(db, caller, (params as { id: string }).id),
    },
    schema: {
      tags,
      summary: 'Keep an option of a service that was to change with the next period',
      description:
        'A renewal that is invoiced and unpaid is made again. 409 `next_period_paid` once the next period is paid.',
      params: Type.Object({ id: Id, key: Type.String({ maxLength: 40 }) }),
      response: { 200: ServiceOptions, ...problems(403, 404, 409) },
    },
    async handler(request) {
      const { db, caller, params, now, transact } = request
      const { id, key } = params
      await transact((tx) => unscheduleOption(tx, caller, { serviceId: id, key }, now))
      const service = await ownService(db, caller, id)
      return optionsOfService(db, service, { isStaff: false, locale: readerLocale(request) }, now)
    },
  })
}
