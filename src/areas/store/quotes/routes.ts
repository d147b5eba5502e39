import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import { typedBuyer } from '../carts/buyer.ts'
import { faultIn, quote } from './actions.ts'
import { Quote, QuoteRequest } from './schema.ts'

/** What a selection would cost, for people who have no account. */
export const quoteRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/store/quote',
    config: { access: 'public' },
    schema: {
      tags: ['Store'],
      summary: 'Price a selection without an account',
      description:
        'Prices as a cart does, for a new consumer. Nothing is reserved; `faults` lists what prevents an order.',
      body: QuoteRequest,
      response: { 200: Quote, ...problems(422) },
    },
    async handler(request) {
      const { body, tenantId, db, now } = request
      const { customer, vat } = await typedBuyer(deps, request, body)
      const quoted = await quote(deps, db, { tenantId, userId: null, customer }, body, now)
      // Codes are a kind of secret: guessing them is limited like guessing passwords.
      if (quoted.faults.some(({ code }) => code === 'coupon_unknown'))
        await request.spendAuthQuota()
      const language = problemLanguageOf(request)
      return { ...quoted, vat, faults: quoted.faults.map((it) => faultIn(language, it)) }
    },
  })
}
