import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { settingsOf } from '#tenants'
import { findUser, lockUser } from '#users'
import { orderSettings } from '../settings.ts'
import { allowanceOf, changeAllowance } from './actions.ts'
import { Allowance, AllowanceChange } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']

function exists({ db, tenantId, params }: FastifyRequest) {
  return findUser(db, { tenantId, userId: (params as { id: string }).id })
}

/** What one person may have before they pay, for staff. */
export const allowanceRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/users/:id/allowance',
    config: { access: 'admin', permission: 'users:read' },
    schema: {
      tags,
      summary: 'Get the limits of a person before payment, and their usage',
      params: IdParams,
      response: { 200: Allowance, ...problems(404) },
    },
    async handler({ db, tenantId, params, now }) {
      const key = { tenantId, userId: params.id }
      if (!(await findUser(db, key))) throw notFound('User')
      return allowanceOf(db, key, await settingsOf(db, tenantId, orderSettings), now)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/users/:id/allowance',
    config: { access: 'admin', permission: 'users:allowance', exists },
    schema: {
      tags,
      summary: 'Set the limits of a person before payment',
      description: 'Null: the limit of the shop. Counts from the next order on.',
      params: IdParams,
      body: AllowanceChange,
      response: { 200: Allowance, ...problems(404) },
    },
    async handler({ tenantId, caller, params, body, now, transact }) {
      const key = { tenantId, userId: params.id }
      const { openServices, openOrders, openOrdersPerProduct, heldUnits } = body
      const change = {
        ...(openServices !== undefined && { maxOpenServices: openServices }),
        ...(openOrders !== undefined && { maxOpenOrders: openOrders }),
        ...(openOrdersPerProduct !== undefined && { openOrdersPerProduct }),
        ...(heldUnits !== undefined && { maxHeldUnits: heldUnits }),
      }
      return transact(async (tx) => {
        const user = await lockUser(tx, key)
        if (!user || user.deletedAt) throw notFound('User')
        await changeAllowance(tx, key, { change, changedBy: caller.userId }, now)
        return allowanceOf(tx, key, await settingsOf(tx, tenantId, orderSettings), now)
      })
    },
  })
}
