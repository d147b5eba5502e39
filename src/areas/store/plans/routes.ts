import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, NoBody, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { ArchivedQuery } from '../schema.ts'
import { usageOf } from '../usage.ts'
import { changePlan, createPlan, removePlan, restorePlan } from './actions.ts'
import { findPlan, findPlanOnSale, listPlans } from './queries.ts'
import type { PlanRow } from './rules.ts'
import { NewPlan, Plan, PlanChange } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const PlanParams = Type.Object({ planId: Id })
const PlanQuery = Type.Object({
  ...PageQuery.properties,
  productId: Type.Optional(Id),
  ...ArchivedQuery,
})

/** What administrators do with plans. */
export const planRoutes: Routes = (app, { areas }) => {
  /** A plan with the number of services that have it. */
  async function counted(db: Db, plan: PlanRow) {
    const usage = await usageOf(areas, db, plan)
    return { ...plan, serviceCount: usage.plans.get(plan.id) ?? 0 }
  }

  app.route({
    method: 'GET',
    url: '/v1/admin/plans',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List plans on sale, newest first; or archived ones',
      querystring: PlanQuery,
      response: { 200: Page(Plan) },
    },
    async handler({ query: { productId, archived = false, ...page }, tenantId, db }) {
      const which = { tenantId, archived, ...(productId && { productId }) }
      const plans = await listPlans(db, which, page)
      return { ...plans, data: plans.data.map((plan) => ({ ...plan, serviceCount: null })) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/plans',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create a plan of a product',
      description:
        'The product must not be archived. Currency, number of intervals and fees have defaults. 400 for an unknown product, 422 `price_micros_mismatch`, `trial_not_possible` or `price_twice`.',
      body: NewPlan,
      response: { 201: Plan, ...problems(422) },
    },
    async handler({ body, caller, db, now, transact }, reply) {
      reply.code(201)
      return counted(db, await transact((tx) => createPlan(tx, caller, body, now)))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/plans/:planId',
    config: { access: 'admin', permission: 'store:read' },
    schema: { tags, summary: 'Get a plan', params: PlanParams, response: { 200: Plan } },
    async handler({ params, tenantId, db }) {
      const plan = await findPlanOnSale(db, { tenantId, id: params.planId })
      if (!plan) throw notFound('Plan')
      return counted(db, plan)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/plans/:planId',
    config: { access: 'admin', permission: 'store:write', exists: existing(findPlanOnSale) },
    schema: {
      tags,
      summary: 'Change a plan for future orders',
      description:
        'Services keep their price; change that with `PATCH /v1/admin/services/{id}`. `prices` replaces the list. 422 `plan_cycle_fixed` for another interval.',
      params: PlanParams,
      body: PlanChange,
      response: { 200: Plan, ...problems(404, 422) },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const key = { tenantId, id: params.planId }
      return counted(db, await transact((tx) => changePlan(tx, key, body, now)))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/plans/:planId/restore',
    config: { access: 'admin', permission: 'store:write', exists: existing(findPlan) },
    schema: {
      tags,
      summary: 'Put an archived plan on sale again; its product must not be archived',
      description: '409 while its product is archived.',
      params: PlanParams,
      body: NoBody,
      response: { 200: Plan, ...problems(404, 409) },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, id: params.planId }
      return counted(db, await transact((tx) => restorePlan(tx, key, now)))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/plans/:planId',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a plan; services that have it keep it',
      description:
        'It is archived and can be restored. A product without a plan is no longer sold.',
      params: PlanParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, now, transact }) {
      return transact((tx) => removePlan(tx, { tenantId, id: params.planId }, now))
    },
  })
}
