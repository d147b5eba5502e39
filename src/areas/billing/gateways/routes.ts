import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Deps } from '#platform/deps.ts'
import type { Routes } from '#platform/http/index.ts'
import { problems } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import {
  addGateway,
  archiveGateway,
  changedOf,
  changeGateway,
  draftOf,
  recordGatewayCheck,
  verify,
} from './actions.ts'
import { connect, driverOf, driversOf, webhookUrlOf } from './connection.ts'
import type { AccountSnapshot } from './contract.ts'
import { describedDriver, GatewayDriver, shownCapabilities } from './description.ts'
import { GatewayError } from './error.ts'
import { findKeptGateway, type GatewayRow, listGateways } from './queries.ts'
import {
  GatewayChanges,
  GatewaySchema,
  GatewayTest,
  type GatewayView,
  NewGateway,
} from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']

export const gatewayRoutes: Routes = async (app, deps) => {
  const view = (row: GatewayRow) => gatewayView(deps, row)

  app.route({
    method: 'GET',
    url: '/v1/admin/gateways',
    config: { access: 'admin', permission: 'gateways:read' },
    schema: {
      tags,
      summary: 'List payment gateways, newest first',
      querystring: PageQuery,
      response: { 200: Page(GatewaySchema) },
    },
    async handler({ query, tenantId, db }) {
      const page = await listGateways(db, tenantId, query)
      return { ...page, data: page.data.map(view) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/gateway-drivers',
    config: { access: 'admin', permission: 'gateways:read' },
    schema: {
      tags,
      summary: 'List the payment providers of this installation, with the settings of a gateway',
      response: { 200: Type.Object({ data: Type.Array(GatewayDriver) }) },
    },
    async handler() {
      return { data: [...driversOf(deps.config).values()].map(describedDriver) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/gateways',
    config: { access: 'admin', permission: 'gateways:write' },
    schema: {
      tags,
      summary: 'Add a payment gateway; one that is enabled has its credentials checked first',
      description:
        'Secrets are encrypted and masked from then on. Enter `webhookUrl` at the provider. 422 `gateway_credentials` or `gateway_settings`, 502 if the provider does not answer.',
      body: NewGateway,
      response: { 201: GatewaySchema, ...problems(502) },
    },
    async handler({ body, tenantId, now, transact }, reply) {
      const draft = draftOf(deps, tenantId, body, now)
      const account = draft.enabled ? await verify(deps, draft) : null
      const row = await transact((tx) => addGateway(tx, draft, account, now))
      return reply.code(201).send(view(row))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/gateways/:id',
    config: { access: 'admin', permission: 'gateways:read' },
    schema: {
      tags,
      summary: 'Get a payment gateway; its secrets are masked',
      params: IdParams,
      response: { 200: GatewaySchema },
    },
    async handler({ params, tenantId, db }) {
      const row = await findKeptGateway(db, { tenantId, gatewayId: params.id })
      if (!row) throw notFound('Gateway')
      return view(row)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/gateways/:id',
    config: {
      access: 'admin',
      permission: 'gateways:write',
      exists: ({ db, tenantId, params }) =>
        findKeptGateway(db, { tenantId, gatewayId: (params as { id: string }).id }),
    },
    schema: {
      tags,
      summary: 'Change a payment gateway; its credentials are checked with the provider first',
      description:
        'Omitted secrets and settings stay. Disabled, it takes no new payments; those under way are completed. 422 `gateway_credentials` or `gateway_settings`, 502 if the provider does not answer.',
      params: IdParams,
      body: GatewayChanges,
      response: { 200: GatewaySchema, ...problems(502) },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const before = await findKeptGateway(db, { tenantId, gatewayId: params.id })
      if (!before) throw notFound('Gateway')
      if (Object.keys(body).length === 0) return view(before)
      const draft = changedOf(deps, before, body)
      const decisive = !before.enabled || body.secrets !== undefined || body.settings !== undefined
      const account = draft.enabled && decisive ? await verify(deps, draft) : null
      return view(await transact((tx) => changeGateway(tx, draft, account, now)))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/gateways/:id',
    config: { access: 'admin', permission: 'gateways:write' },
    schema: {
      tags,
      summary: 'Delete a payment gateway; its payments are kept and completed',
      description: 'It takes no new payments; refunds through it stay possible.',
      params: IdParams,
      response: { 200: Deleted },
    },
    async handler({ params, tenantId, now, transact }) {
      await transact((tx) => archiveGateway(tx, { tenantId, gatewayId: params.id }, now))
      return { id: params.id, deleted: true }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/gateways/:id/test',
    config: { access: 'admin', permission: 'gateways:write' },
    schema: {
      tags,
      summary: 'Ask the provider whether it accepts the credentials',
      description:
        'Stores `status`. Refused credentials are an answer with the reason, not an error.',
      params: IdParams,
      response: { 200: GatewayTest },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, gatewayId: params.id }
      const row = await findKeptGateway(db, key)
      if (!row) throw notFound('Gateway')
      const { account, fault, code } = await tested(deps, row)
      // A provider that is briefly unavailable says nothing about its gateway.
      const isAway = code === 'unavailable' || code === 'rate_limited'
      if (!isAway) await transact((tx) => recordGatewayCheck(tx, key, { account, fault }, now))
      const { accountId = null, country = null } = account ?? {}
      return { ok: fault === null, code, accountId, country, message: fault }
    },
  })
}

type Tested = {
  account: AccountSnapshot | null
  fault: string | null
  code: GatewayError['kind'] | null
}

async function tested(deps: Deps, row: GatewayRow): Promise<Tested> {
  const { driver, context } = await connect(deps, row)
  try {
    return { account: await driver.verifyCredentials(context), fault: null, code: null }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { account: null, fault: error.message, code: error.kind }
  }
}

function gatewayView({ config }: Deps, row: GatewayRow): GatewayView {
  const { id, driver: name, mode, enabled, position, settings, checkedAt, fault, createdAt } = row
  const driver = driverOf(config, name)
  const status = checkedAt === null ? 'unknown' : fault === null ? 'ok' : 'unhealthy'
  return {
    ...{ id, driver: name, name: row.name, mode, enabled, position, settings },
    secrets: row.secretHints,
    capabilities: driver ? shownCapabilities(driver.capabilities) : null,
    webhookUrl: webhookUrlOf(config, id),
    webhookRegistered: row.webhookEndpointId !== null,
    ...{ status, message: fault, checkedAt, createdAt },
  }
}
