import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { creditBalance } from '#ledger'
import { newId } from '#lib/id.ts'
import { cents, MAX_UNIT_PRICE_CENTS } from '#lib/money.ts'
import { notFound, unprocessable } from '#lib/problem.ts'
import { Amount, Body, Currency, Id, IdParams, Line, Resource } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sellerOf } from '#tenants'
import { findUser, lockUser } from '#users'
import { addCredit, removeCredit } from './actions.ts'

const tags: Tag[] = ['Admin - Store & Invoices']

const Adjustment = Body({
  amountCents: Type.Integer({
    minimum: -MAX_UNIT_PRICE_CENTS,
    maximum: MAX_UNIT_PRICE_CENTS,
    description: 'The amount to add; negative to deduct. Not zero',
  }),
  reason: { ...Line(200), description: 'The reason; the person sees it beside the entry' },
  currency: Type.Optional(Currency),
})

const Adjusted = Resource('CreditAdjustment', {
  id: Id,
  userId: Id,
  amountCents: Amount,
  balanceCents: Amount,
  currency: Currency,
})

function exists({ db, tenantId, params }: FastifyRequest) {
  return findUser(db, { tenantId, userId: (params as { id: string }).id })
}

export const adminCreditRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/credits',
    config: { access: 'admin', permission: 'users:credit', exists },
    schema: {
      tags,
      operationId: 'admin.users.credits.adjust',
      summary: 'Add credit to the account of a person, or deduct it',
      description:
        'Booked as goodwill. A deduction cannot exceed the balance. Send an `Idempotency-Key`, so that a repetition books nothing twice.',
      params: IdParams,
      body: Adjustment,
      response: { 201: Adjusted, ...problems(404, 422) },
    },
    async handler({ body, params, tenantId, db, now, transact }, reply) {
      const { amountCents, reason: description } = body
      if (amountCents === 0) throw unprocessable('Nothing would change.', 'amount_zero')
      const currency = body.currency ?? (await sellerOf(db, tenantId)).currency
      const id = newId()
      const userId = params.id
      const change = { tenantId, userId, currency, eventId: id, key: `goodwill:${id}`, description }
      const balanceCents = await transact(async (tx) => {
        const user = await lockUser(tx, { tenantId, userId })
        if (!user || user.deletedAt) throw notFound('User')
        const moved = { ...change, amountCents: cents(Math.abs(amountCents)) }
        await (amountCents > 0 ? addCredit(tx, moved, now) : removeCredit(tx, moved, now))
        return creditBalance(tx, { tenantId, userId, currency })
      })
      const answer = { id, userId, amountCents: cents(amountCents), balanceCents, currency }
      return reply.code(201).send(answer)
    },
  })
}
