import { InvoiceSchema } from '#billing'
import { newId } from '#lib/id.ts'
import { badRequest } from '#lib/problem.ts'
import { IdParams, Nullable, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { adminServiceOf } from '../admin-view.ts'
import { invoiceOf } from '../lifecycle/routes.ts'
import { insertNote } from '../notes/queries.ts'
import { AdminService } from '../schema.ts'
import { orderOptions } from './actions.ts'
import { existing } from './admin-routes.ts'
import { checkFit, doesNotFit } from './fits.ts'
import { quoteOptions } from './option-quote.ts'
import { optionsOfService } from './options-view.ts'
import { assertQuoted, quotedAt, quotedOptions, tokenFor } from './quote-token.ts'
import {
  OnPlan,
  OptionTerms,
  QuoteToken,
  Room,
  ServiceOptions,
  StaffOptionOrder,
} from './schema.ts'
import { goalOf, optionTermsOf } from './view.ts'

const tags = ['Admin - Operations']

/** Changes of options that staff make for a customer. */
export const adminOptionRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/services/:id/options',
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'List the options of a service, hidden ones included',
      params: IdParams,
      querystring: OnPlan,
      response: { 200: ServiceOptions, ...problems(404, 409, 422) },
    },
    async handler({ db, tenantId, params: { id }, query: { planId }, now }) {
      const service = await existing(db, { tenantId, id })
      return optionsOfService(db, service, { isStaff: true, locale: null, planId }, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/services/:id/options',
    config: {
      ...{ access: 'admin', permission: 'services:write' },
      exists: ({ db, tenantId, params }) =>
        existing(db, { tenantId, id: (params as { id: string }).id }),
    },
    schema: {
      tags,
      summary: 'Change options of a service for its customer, or preview the cost',
      description:
        'The terms are those of the customer, with hidden options, too. If something is due, the change waits until the customer has paid its invoice. With `waive`, what is dearer costs nothing before the next period that is invoiced; the reason becomes a note about the service.',
      params: IdParams,
      body: StaffOptionOrder,
      response: {
        200: Resource('StaffOptionChange', {
          service: AdminService,
          ...OptionTerms,
          ...Room,
          quote: QuoteToken,
          invoice: Nullable(InvoiceSchema),
        }),
        ...problems(404, 409, 422),
      },
    },
    async handler({ db, caller, tenantId, params: { id }, body, now, transact }) {
      const key = { tenantId, id }
      const { preview, options, quote: token, waive = false, reason } = body
      if (waive && !preview && reason === undefined) {
        const message = 'must be given with waive'
        throw badRequest('A waived charge needs a reason.', [{ path: 'reason', message }])
      }
      const { secrets } = deps
      const wish = { options, isStaff: true, waive }
      const service = await existing(db, key)
      const shown = token === undefined || preview ? undefined : { token, secrets }
      const since = shown ? quotedAt(shown, now) : now
      const quoted = await quoteOptions(db, service, wish, now, since)
      if (shown) assertQuoted(shown, quotedOptions(service, wish, quoted))
      // This asks the panel, so it is done before the change and outside a transaction.
      const misfit = await checkFit(deps, db, service, goalOf(quoted))
      const room = { fits: misfit === undefined ? null : misfit === null, misfit: misfit ?? null }
      if (preview) {
        return {
          ...{ service: await adminServiceOf(db, key, now), ...optionTermsOf(quoted), ...room },
          ...{ quote: tokenFor(secrets, quotedOptions(service, wish, quoted)), invoice: null },
        }
      }
      if (misfit) throw doesNotFit(misfit)
      return transact(async (tx) => {
        const wanted = { ...wish, serviceId: id, preview: shown }
        const { quote, invoice } = await orderOptions(tx, service, wanted, now)
        if (waive && reason !== undefined) {
          const { userId: authorId } = caller
          const note = { tenantId, id: newId(), serviceId: id, authorId, createdAt: now }
          await insertNote(tx, { ...note, text: `Options changed without charge: ${reason}` })
        }
        return {
          ...{ service: await adminServiceOf(tx, key, now), ...optionTermsOf(quote), ...room },
          quote: null,
          invoice: invoice && (await invoiceOf(tx, { tenantId, invoiceId: invoice.id }, now)),
        }
      })
    },
  })
}
