import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { networkOf } from '#lib/network.ts'
import { Amount, Body, Currency, Resource } from '#lib/schema.ts'
import type { Deps } from '#platform/deps.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { hashOf } from '../codes/code.ts'
import { findKey } from '../codes/keys.ts'
import { redeem } from './actions.ts'
import { unknownCode } from './rules.ts'

const tags: Tag[] = ['Billing']

const Redemption = Body({
  code: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Case, spaces and dashes do not matter; O is read as 0, I and L as 1',
  }),
})

/** Hashes codes in a shop without vouchers, so that they take as long as in others. */
const NO_KEY = Buffer.alloc(32)

/** Customers turn codes into credit. */
export const redemptionRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/billing/vouchers/redeem',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Redeem a voucher: its amount becomes my credit',
      description:
        'A code that is not a voucher of this shop is a 404 `voucher_unknown`, whatever is wrong with it. After 10 of them ' +
        'in an hour, or 30 in a day, every code is a 429 `too_many_attempts` with `Retry-After`; they also count against ' +
        'the authentication quota. 409 `voucher_redeemed`, `voucher_expired` or `voucher_void`; 422 ' +
        '`voucher_needs_confirmed_address` and `voucher_daily_limit`.',
      body: Redemption,
      response: {
        200: Resource('RedeemedVoucher', {
          amountCents: { ...Amount, description: 'The amount of the voucher' },
          balanceCents: { ...Amount, description: 'My credit in this currency now' },
          currency: Currency,
        }),
        ...problems(404, 409, 422),
      },
    },
    async handler(request) {
      const { body, caller, db, now, transact } = request
      const { tenantId, userId } = caller
      await assertQuota(deps, request)
      const key = (await findKey(db, deps.secrets, { tenantId })) ?? NO_KEY
      const codeHash = hashOf(body.code, key)
      const redeemed = await transact((tx) => redeem(tx, { tenantId, userId, codeHash }, now))
      if (redeemed) return redeemed
      await request.spendAuthQuota()
      throw unknownCode()
    },
  })
}

/** Once the quota is used up, a right code gets the same answer as a wrong one. Throws 429. */
async function assertQuota({ limiter }: Deps, request: FastifyRequest): Promise<void> {
  const { remaining } = await limiter.ask('auth', networkOf(request.ip))
  if (remaining === 0) await request.spendAuthQuota()
}
