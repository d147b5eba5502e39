import { Type } from 'typebox'
import { creditBalance, listCreditEntries, listCredits } from '#ledger'
import { notFound } from '#lib/problem.ts'
import { Amount, Currency, IdParams, Nullable, Page, PageQuery, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sellerOf } from '#tenants'
import { findUser } from '#users'
import { listMethodsOf } from '../methods/queries.ts'
import { MethodSchema } from '../methods/schema.ts'
import { methodView } from '../methods/view.ts'
import { CreditEntry, CreditQuery } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']

const CustomerCredits = Resource('CustomerCredits', {
  balances: Type.Array(Type.Object({ currency: Currency, balanceCents: Amount }), {
    description: 'Every currency in which the person had credit',
  }),
  balanceCents: Amount,
  currency: Currency,
  data: Type.Array(CreditEntry),
  nextCursor: Nullable(Type.String()),
})

/** The credit and the payment methods of a customer, for staff. */
export const customerMoneyRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/users/:id/credits',
    config: { access: 'admin', permission: 'invoices:read' },
    schema: {
      tags,
      operationId: 'admin.users.credits.get',
      summary: 'Get the credit of a person and its entries, newest first',
      params: IdParams,
      querystring: CreditQuery,
      response: { 200: CustomerCredits, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id: userId }, query }) {
      const { currency: wanted, ...page } = query
      if (!(await findUser(db, { tenantId, userId }))) throw notFound('User')
      const currency = wanted ?? (await sellerOf(db, tenantId)).currency
      const key = { tenantId, userId, currency }
      const [entries, balanceCents, balances] = await Promise.all([
        listCreditEntries(db, key, page),
        creditBalance(db, key),
        listCredits(db, key),
      ])
      return { balances, balanceCents, currency, ...entries }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/users/:id/payment-methods',
    config: { access: 'admin', permission: 'invoices:read' },
    schema: {
      tags,
      summary: 'List payment methods of a person, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(MethodSchema), ...problems(404) },
    },
    async handler({ db, tenantId, params: { id: userId }, query }) {
      if (!(await findUser(db, { tenantId, userId }))) throw notFound('User')
      const page = await listMethodsOf(db, { tenantId, userId }, query)
      return { ...page, data: page.data.map(methodView) }
    },
  })
}
