import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { changePlan, createPlan, removePlan } from './actions.ts'
import { findPlanOnSale, listPlans } from './queries.ts'
import { NewPlan, Plan, PlanChange } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const PlanParams = Type.Object({ planId: Id })
const PlanQuery = Type.Object({ ...PageQuery.properties, productId: Type.Optional(Id) })

/** What administrators do with plans. */
export const planRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/plans',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List plans on sale, newest first',
      querystring: PlanQuery,
      response: { 200: Page(Plan) },
    },
    async handler({ query: { productId, ...page }, tenantId, db }) {
      return listPlans(db, { tenantId, ...(productId && { productId }) }, page)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/plans',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create a plan of a product',
      body: NewPlan,
      response: { 201: Plan, ...problems(422) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact((tx) => createPlan(tx, caller, body, now))
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
      return plan
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/plans/:planId',
    config: { access: 'admin', permission: 'store:write', exists: existing(findPlanOnSale) },
    schema: {
      tags,
      summary: 'Change a plan for future orders',
      params: PlanParams,
      body: PlanChange,
      response: { 200: Plan, ...problems(404, 422) },
    },
    async handler({ params, body, tenantId, now, transact }) {
      return transact((tx) => changePlan(tx, { tenantId, id: params.planId }, body, now))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/plans/:planId',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a plan; services that have it keep it',
      params: PlanParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, now, transact }) {
      return transact((tx) => removePlan(tx, { tenantId, id: params.planId }, now))
    },
  })
}
