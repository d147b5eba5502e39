import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Body, Id, IdParams } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { problems } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { beginPayment, preparedOf } from '../quotes/begin.ts'
import { closingPages } from '../quotes/pages.ts'
import { check } from './check.ts'
import { findAttempt, findAttemptAnywhere, invoiceIdsOf } from './queries.ts'
import { isOver, paymentIn, paymentView } from './rules.ts'
import { FollowedPayment, HowToPay, PaymentSchema } from './schema.ts'
import { startPayment } from './start.ts'

const tags: Tag[] = ['Billing']

const PayTogether = Body({
  invoiceIds: Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true }),
  ...HowToPay,
})

export const paymentRoutes: Routes = async (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/billing/pay',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Pay several of my invoices with one payment',
      description:
        '409 `quote_expired` as for a single invoice: `details` name the invoices to pay instead.',
      body: PayTogether,
      response: { 200: PaymentSchema, ...problems(404, 409) },
    },
    async handler(request) {
      const { body, caller, db, now, transact } = request
      const begun = await closingPages(deps, db, (pages) =>
        transact((tx) => beginPayment(tx, deps.areas, caller, { ...body, pages }, now)),
      )
      const payment = await startPayment(deps, db, preparedOf(begun))
      return paymentIn(problemLanguageOf(request), payment)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/payments/:id',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Get the state of one of my payments',
      description: 'The last known state. `redirectUrl` is there while it can still be paid.',
      params: IdParams,
      response: { 200: FollowedPayment, ...problems(404) },
    },
    async handler(request) {
      const { params, caller, db } = request
      const { tenantId, userId } = caller
      const key = { tenantId, attemptId: params.id }
      const [attempt, invoiceIds] = await Promise.all([
        findAttempt(db, key),
        invoiceIdsOf(db, { tenantId, id: params.id }),
      ])
      if (!attempt || attempt.userId !== userId) throw notFound('Payment')
      const view = { ...paymentView(attempt), invoiceIds }
      return paymentIn(problemLanguageOf(request), view)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/return/:attemptId',
    config: { access: 'public', openQuery: true, whileSuspended: true },
    schema: {
      tags,
      summary: 'Receive the customer from the payment provider, check the payment, and redirect',
      params: Type.Object({ attemptId: Id }),
      response: { 303: Type.Null({ description: 'To the address the customer left from' }) },
    },
    async handler({ params }, reply) {
      const found = await findAttemptAnywhere(deps.database.everywhere, params.attemptId)
      if (!found) throw notFound('Payment')
      const db = deps.database.of(found.tenantId)
      // A provider that does not answer must not keep the customer waiting: the sweeper asks again.
      if (!isOver(found)) await check(deps, db, found)
      const key = { tenantId: found.tenantId, attemptId: found.id }
      const { status } = paymentView((await findAttempt(db, key)) ?? found)
      const url = new URL(found.returnUrl ?? `${deps.config.publicUrl}/checkout/return`)
      url.searchParams.set('payment', found.id)
      url.searchParams.set('status', status)
      return reply.redirect(url.href, 303)
    },
  })
}
