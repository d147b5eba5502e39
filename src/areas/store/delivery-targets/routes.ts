import { newId } from '#lib/id.ts'
import { IdParams, NoBody } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { post } from '#platform/webhooks/sending.ts'
import { existing } from '../paths.ts'
import { findProductOnSale } from '../products/queries.ts'
import { recordTest, renewCredentials, testableTarget } from './actions.ts'
import { targetKeys } from './rules.ts'
import { Credentials, TestOutcome } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const url = '/v1/admin/products/:id/delivery'
const exists = existing(findProductOnSale)
const writing = { access: 'admin', permission: 'store:write', exists } as const

/** What administrators do with the systems that deliver the services of products. */
export const targetRoutes: Routes = (app, deps) => {
  app.route({
    method: 'POST',
    url: `${url}/secret`,
    config: { ...writing, secretAnswer: true },
    schema: {
      tags,
      summary:
        'Create the secret and the token of a delivery webhook, shown once; earlier ones stay valid for a day',
      description: '404 for a product without a delivery webhook.',
      params: IdParams,
      body: NoBody,
      response: { 200: Credentials, ...problems(404, 422) },
    },
    handler: ({ params: { id: productId }, tenantId, now, transact }) =>
      transact((tx) => renewCredentials(tx, { tenantId, productId, secrets: deps.secrets }, now)),
  })

  app.route({
    method: 'POST',
    url: `${url}/test`,
    config: writing,
    schema: {
      tags,
      summary: 'Send a signed ping to a delivery webhook; publishing needs an accepted one',
      description:
        'Waits for the answer; an accepted ping is recorded. 422 for a product without an address or secret.',
      params: IdParams,
      body: NoBody,
      response: { 200: TestOutcome, ...problems(404, 422) },
    },
    async handler({ params: { id: productId }, tenantId, now, transact }) {
      const target = await transact((tx) => testableTarget(tx, { tenantId, productId }))
      const data = { productId }
      const body = JSON.stringify({ type: 'ping', version: 1, timestamp: now, data })
      const keys = () => targetKeys(deps.secrets, target, now)
      const message = { tenantId, url: target.url, id: newId(), body, keys, keptBytes: 0 }
      const { ok, statusCode, error, durationMs } = await post(deps, message, now)
      if (ok) await transact((tx) => recordTest(tx, target, deps.clock.now()))
      return { ok, statusCode, error, durationMs }
    },
  })
}
