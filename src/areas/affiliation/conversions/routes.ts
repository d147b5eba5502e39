import { Type } from 'typebox'
import { Amount, Body, Currency, PositiveAmount, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sellerOf } from '#tenants'
import { convert } from './actions.ts'

const tags: Tag[] = ['Affiliation']

const Wish = Body({
  amountCents: Type.Optional(PositiveAmount),
  currency: Type.Optional(Currency),
})

const Converted = Resource('CommissionConversion', {
  convertedCents: Amount,
  availableCents: Amount,
  balanceCents: Amount,
  currency: Currency,
})

/** Converts commission into credit. */
export const conversionRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/affiliation/convert',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Turn available commission into credit: all of it, or a part; at least 2000 cents',
      description: '409 `affiliate_suspended`, 422 `below_minimum` and `above_available`.',
      body: Wish,
      response: { 200: Converted, ...problems(404, 409, 422) },
    },
    async handler({ body, caller, db, now, transact }) {
      const { amountCents, currency } = body
      const own = currency ?? (await sellerOf(db, caller.tenantId)).currency
      return transact((tx) => convert(tx, caller, { amountCents, currency: own }, now))
    },
  })
}
