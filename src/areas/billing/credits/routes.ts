import { Type } from 'typebox'
import { creditBalance, listCreditEntries } from '#ledger'
import { Amount, Body, Currency, Id, Nullable, PositiveAmount, Resource } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { problems } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sellerOf } from '#tenants'
import { PaymentSchema } from '../attempts/schema.ts'
import { startPayment } from '../attempts/start.ts'
import { partsOfAll } from '../invoices/queries.ts'
import { InvoiceSchema } from '../invoices/schema.ts'
import { invoiceView } from '../invoices/view.ts'
import { CreditEntry, CreditQuery } from './schema.ts'
import { topUp, topUpLimits } from './top-up.ts'

const tags: Tag[] = ['Billing']

const TopUpRequest = Body({
  amountCents: PositiveAmount,
  gatewayId: Id,
  returnUrl: Type.Optional(Type.String({ format: 'uri', maxLength: 2000 })),
})

export const creditRoutes: Routes = async (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/billing/credits',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List my credit balances and their entries, newest first',
      querystring: CreditQuery,
      response: {
        200: Resource('Credits', {
          balanceCents: Amount,
          currency: Currency,
          topUp: Nullable(
            Type.Object(
              { minimumCents: Amount, maximumCents: Amount, currency: Currency },
              { description: 'How much credit can be bought at once; null where none is sold' },
            ),
          ),
          data: Type.Array(CreditEntry),
          nextCursor: Nullable(Type.String()),
        }),
      },
    },
    async handler({ query, caller, db }) {
      const { currency: wanted, ...page } = query
      const { tenantId, userId } = caller
      const currency = wanted ?? (await sellerOf(db, tenantId)).currency
      const key = { tenantId, userId, currency }
      const [entries, balanceCents, topUp] = await Promise.all([
        listCreditEntries(db, key, page),
        creditBalance(db, key),
        topUpLimits(db, tenantId, deps.config),
      ])
      return { balanceCents, currency, topUp, ...entries }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/billing/credits/top-up',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Buy credit',
      description:
        'Opens an invoice without tax and begins its payment; the credit is there once that is paid. 422 `unpaid_top_ups_limit` and, for an amount that the gateway does not take, `amount_not_allowed`.',
      body: TopUpRequest,
      response: {
        201: Resource('TopUp', { invoice: InvoiceSchema, payment: PaymentSchema }),
        ...problems(404),
      },
    },
    async handler({ body, caller, db, now, transact }, reply) {
      const { invoice, prepared } = await transact((tx) => topUp(tx, caller, body, now))
      const payment = await startPayment(deps, db, prepared)
      const parts = await partsOfAll(db, caller.tenantId, [invoice.id])
      return reply.code(201).send({ invoice: invoiceView(invoice, parts, now), payment })
    },
  })
}
