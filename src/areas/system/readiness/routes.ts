import { type Static, Type } from 'typebox'
import { listUsableGateways } from '#billing'
import { Nullable, OneOf } from '#lib/schema.ts'
import { hasMailServer } from '#notifications'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { Routes } from '#platform/http/index.ts'
import { missingOf, originOf } from '#tenants'
import { hasProduct, hasWorkingPanel } from './queries.ts'

const Item = Type.Object({
  key: OneOf(['seller', 'tax', 'mail', 'gateway', 'panel', 'product', 'https']),
  state: OneOf(['ready', 'missing'], 'missing: the shop should not open before it is done'),
  todo: Nullable(Type.String({ description: 'What to do; null when it is ready' })),
})
type Item = Static<typeof Item>

const Readiness = Type.Object({
  sells: Type.Boolean({
    description: 'Whether orders are taken: the seller and its tax decision are complete',
  }),
  items: Type.Array(Item),
})

/** What is left to do before a shop opens. */
export const readinessRoutes: Routes = (app, { config }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/readiness',
    config: { access: 'admin', permission: 'shop:read' },
    schema: {
      tags: ['Admin - Settings & Tenants'],
      summary: 'Get what is missing before the shop can sell',
      response: { 200: Readiness },
    },
    async handler({ db, tenantId }) {
      const missing = await missingOf(db, tenantId)
      return {
        sells: missing.length === 0,
        items: await itemsOf({ db, config, tenantId, missing }),
      }
    },
  })
}

type Facts = Pick<Deps, 'config'> & {
  db: Db
  tenantId: string
  missing: Awaited<ReturnType<typeof missingOf>>
}

const NO_PRODUCT =
  'Publish a visible product. `publishFaults` of a product says what keeps it from being published.'

const OF_TAX: ReadonlySet<string> = new Set(['seller.taxStatus', 'seller.vatNumber'])

async function itemsOf({ db, config, tenantId, missing }: Facts): Promise<Item[]> {
  const [gateways, panel, product, origin, sendsMail] = await Promise.all([
    listUsableGateways(db, tenantId),
    hasWorkingPanel(db, tenantId),
    hasProduct(db, tenantId),
    originOf(db, config, tenantId),
    hasMailServer(db, config, tenantId),
  ])
  const sentences = (tax: boolean) =>
    missing.filter(({ path }) => OF_TAX.has(path) === tax).map(({ message }) => message)
  const item = (key: Item['key'], todo: string | null): Item => {
    return { key, state: todo === null ? 'ready' : 'missing', todo }
  }
  return [
    item('seller', sentences(false).join(' ') || null),
    item('tax', sentences(true).join(' ') || null),
    item('mail', mailTodo(sendsMail)),
    item('gateway', gatewayTodo(gateways)),
    item('panel', panel ? null : 'Add a panel connection and test it.'),
    item('product', product ? null : NO_PRODUCT),
    item(
      'https',
      origin.startsWith('https:') ? null : `The shop is reached at ${origin}. Serve it over https.`,
    ),
  ]
}

function mailTodo(sendsMail: boolean): string | null {
  return sendsMail ? null : 'Mails are not sent. Set the mail server of the shop.'
}

function gatewayTodo(gateways: readonly { mode: 'test' | 'live' }[]): string | null {
  if (gateways.length === 0) return 'Add a payment gateway and enable it.'
  if (gateways.some(({ mode }) => mode === 'live')) return null
  return 'All enabled payment gateways are in test mode: no money arrives. Enable one in live mode.'
}
