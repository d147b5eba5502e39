import type { FastifyRequest } from 'fastify'
import { badGateway, conflict, notFound, unprocessable } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Deps } from '#platform/deps.ts'
import type { Routes } from '#platform/http/index.ts'
import { problems } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { enqueue } from '#platform/jobs.ts'
import { sellerOf } from '#tenants'
import { lockUser } from '#users'
import { startPayment } from '../attempts/start.ts'
import { ensureCustomer } from '../customers/actions.ts'
import { connect, driverOf } from '../gateways/connection.ts'
import type { PaymentGateway } from '../gateways/contract.ts'
import { GatewayError } from '../gateways/error.ts'
import { listUsableGateways } from '../gateways/queries.ts'
import { checkedReturnUrl } from '../return-url.ts'
import { detachMethod, setDefaultMethod } from '../work.ts'
import {
  findOwnMethod,
  hasUsableMethod,
  listMethodsOf,
  markDefault,
  markMethodGone,
} from './queries.ts'
import { MethodChanges, MethodSchema, PortalSchema, SetupRequest, SetupSchema } from './schema.ts'
import { chooseSetupGateway, prepareSetup } from './setup.ts'
import { methodView } from './view.ts'

const tags: Tag[] = ['Billing']
const exists = ({ db, caller, params }: FastifyRequest) =>
  findOwnMethod(db, caller, (params as { id: string }).id)

export const methodRoutes: Routes = async (app, deps) => {
  app.route({
    method: 'POST',
    url: '/v1/billing/setup-intent',
    config: { access: 'user', secretAnswer: true },
    schema: {
      tags,
      summary: 'Begin to save a payment method',
      description:
        'With `redirect`, send the browser to `url`; with `embedded`, use `clientSecret` with the provider’s script. The method is listed once the provider has confirmed it. 422 `gateway_unavailable`, and `saved_with_payment` where a provider saves methods only with a payment.',
      body: SetupRequest,
      response: { 201: SetupSchema, ...problems(502) },
    },
    async handler({ body, caller, db, now, transact }, reply) {
      const { tenantId } = caller
      const usable = await listUsableGateways(db, tenantId)
      const savingOf = ({ driver }: { driver: string }) =>
        driverOf(deps.config, driver)?.capabilities.saveMethod ?? 'none'
      const { currency } = await sellerOf(db, tenantId)
      const { gatewayId, returnUrl } = body
      const gateway = chooseSetupGateway(usable, savingOf, { gatewayId, currency })
      const wanted = { gateway, currency, embedded: body.mode === 'embedded', returnUrl }
      const prepared = await transact((tx) => prepareSetup(tx, caller, wanted, now))
      const started = await startPayment(deps, db, prepared)
      const { id, redirectUrl: url, clientSecret, publishableKey, failure } = started
      if (failure) throw unprocessable(failure.message, 'payment_method_refused')
      if (url === null && clientSecret === null) {
        throw badGateway('The payment provider did not answer. Try again shortly.')
      }
      const answer = { id, gatewayId: gateway.id, url, clientSecret, publishableKey }
      return reply.code(201).send(answer)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/payment-methods',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'List my saved payment methods, newest first',
      querystring: PageQuery,
      response: { 200: Page(MethodSchema) },
    },
    async handler({ query, caller, db }) {
      const page = await listMethodsOf(db, caller, query)
      return { ...page, data: page.data.map(methodView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/payment-methods/:id',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Get one of my saved payment methods',
      params: IdParams,
      response: { 200: MethodSchema },
    },
    async handler({ params, caller, db }) {
      const row = await findOwnMethod(db, caller, params.id)
      if (!row) throw notFound('Payment method')
      return methodView(row)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/billing/payment-methods/:id',
    config: { access: 'user', exists },
    schema: {
      tags,
      summary: 'Make a saved payment method the default one',
      description: 'Automatic payments use the default method.',
      params: IdParams,
      body: MethodChanges,
      response: { 200: MethodSchema },
    },
    async handler({ params, body, caller, transact }) {
      return transact(async (tx) => {
        const row = await findOwnMethod(tx, caller, params.id)
        if (!row) throw notFound('Payment method')
        if (!body.default || row.isDefault) return methodView(row)
        await markDefault(tx, caller, row.id)
        await enqueue(tx, setDefaultMethod, { tenantId: caller.tenantId, methodId: row.id })
        return methodView({ ...row, isDefault: true })
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/billing/payment-methods/:id',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Remove one of my saved payment methods',
      description:
        'The provider deletes it too. Without another method, renewals wait for the customer to pay; 409 `payment_method_needed` while services are billed by the hour.',
      params: IdParams,
      response: { 200: Deleted, ...problems(409) },
    },
    async handler({ params, caller, now, transact }) {
      await transact(async (tx) => {
        // An order that needs the method waits, or is seen here.
        await lockUser(tx, caller)
        const row = await findOwnMethod(tx, caller, params.id)
        if (!row) throw notFound('Payment method')
        const hadOne = await hasUsableMethod(tx, caller, now)
        await markMethodGone(tx, row, now)
        if (hadOne && !(await hasUsableMethod(tx, caller, now))) {
          for (const area of deps.areas) await area.assertMayLoseMethods?.(tx, caller, now)
        }
        await enqueue(tx, detachMethod, { tenantId: caller.tenantId, methodId: row.id })
      })
      return { id: params.id, deleted: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/billing/portal-session',
    config: { access: 'user', secretAnswer: true },
    schema: {
      tags,
      summary: 'Open the payment provider’s own pages for my payment methods',
      description:
        'Answers an address for the browser. 409 `no_portal` where no provider offers such pages.',
      response: { 201: PortalSchema, ...problems(502) },
    },
    async handler({ caller, db, now }, reply) {
      const url = await openPortal(deps, { db, caller, now })
      return reply.code(201).send({ url })
    },
  })
}

type Asking = Pick<FastifyRequest, 'db' | 'caller' | 'now'>

/** Throws 409 if no provider has such pages, 502 if it does not answer. */
async function openPortal(deps: Deps, { db, caller, now }: Asking): Promise<string> {
  const { tenantId, userId } = caller
  const usable = await listUsableGateways(db, tenantId)
  const row = usable.find(able(deps, ({ capabilities }) => capabilities.portal))
  if (!row) throw conflict('No payment provider here has a customer portal.', 'no_portal')
  const connection = await connect(deps, row)
  try {
    const customerId = await ensureCustomer(db, connection, userId, now)
    const returnUrl = await checkedReturnUrl(db, tenantId, { page: '/payment' })
    const { driver, context } = connection
    const session =
      customerId && (await driver.createPortalSession?.(context, { customerId, returnUrl }))
    if (!session) throw conflict('No payment provider here has a customer portal.', 'no_portal')
    return session.url
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    deps.log.warn({ gatewayId: row.id, kind: error.kind }, 'the provider opened no portal session')
    throw badGateway('The payment provider did not answer. Try again shortly.', 'provider_failed')
  }
}

/** Whether a gateway's driver can do something. */
function able({ config }: Deps, can: (driver: PaymentGateway) => boolean) {
  return ({ driver: name }: { driver: string }) => {
    const driver = driverOf(config, name)
    return driver !== undefined && can(driver)
  }
}
