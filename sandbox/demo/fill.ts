import { SANDBOX_SELLER } from '../seller.ts'
import { categories, EVERY_MONTH, type Product, products } from './catalog.ts'
import { type Answer, type Api, until } from './client.ts'
import { publishHelp } from './help.ts'
import type { Report } from './report.ts'
import { publishTexts } from './texts.ts'

/** What the shop is connected to. */
export type Outside = {
  provider: { url: string; secretKey: string; publishableKey: string }
  panel: { url: string; applicationKey: string; clientKey: string }
}

/** What the shop has, once it is filled. */
export type Filled = {
  gatewayId: string
  nodeId: string
  products: { id: string; slug: string; planId: string; priceCents: number }[]
}

/**
 * Fills a shop through the administration's own operations. What is there already stays, so that
 * it can be run again; only the addresses of panel and provider are set anew.
 */
export async function fillShop(admin: Api, outside: Outside, report: Report): Promise<Filled> {
  await report.step('enters the seller', () =>
    admin.patch('/v1/admin/shop', {
      seller: { ...SANDBOX_SELLER, email: 'help@sandbox-hosting.example' },
    }),
  )
  await report.step('publishes terms, privacy and an announcement', () => publishTexts(admin))
  await report.step('publishes help articles', () => publishHelp(admin))
  const gatewayId = await report.step('adds the payment gateway', () =>
    ensureGateway(admin, outside.provider),
  )
  const nodeId = await report.step('connects and tests the game panel', () =>
    ensureNode(admin, outside.panel),
  )
  const eggs = await report.step(
    'reads the eggs of the panel',
    () => syncEggs(admin, nodeId),
    ({ size }) => `${size} eggs`,
  )
  await report.step('sets the tax rate', () => ensureTaxRate(admin))
  const filled = await report.step(
    'puts up categories, products and plans',
    () => fillCatalog(admin, { nodeId, eggs }),
    ({ length }) => `${length} products`,
  )
  return { gatewayId, nodeId, products: filled }
}

/** Connects a shop to the payment provider, and answers the id of the gateway. */
export async function ensureGateway(admin: Api, provider: Outside['provider']): Promise<string> {
  const { data } = await admin.get('/v1/admin/gateways?limit=100')
  const known = data.find((it: Answer) => it.driver === 'sandbox')
  const { secretKey, publishableKey } = provider
  const credentials = { secrets: { secretKey }, settings: { publishableKey }, enabled: true }
  const { id } = known
    ? await admin.patch(`/v1/admin/gateways/${known.id}`, credentials)
    : await admin.post('/v1/admin/gateways', {
        ...{ driver: 'sandbox', name: 'Card (sandbox)', mode: 'test' },
        ...credentials,
      })
  await until('the provider reports to us', async () => {
    const gateway = await admin.get(`/v1/admin/gateways/${id}`)
    return gateway.webhookRegistered
  })
  return id
}

/** Connects a shop to the panel, or gives it the panel's present address. */
export async function ensureNode(admin: Api, panel: Outside['panel']): Promise<string> {
  const { data } = await admin.get('/v1/admin/nodes?limit=100')
  const known = data.find((it: Answer) => it.name === NODE)
  const connection = {
    ...{ url: panel.url, apiKey: panel.applicationKey, clientApiKey: panel.clientKey },
  }
  const { id } = known
    ? await admin.patch(`/v1/admin/nodes/${known.id}`, connection)
    : await admin.post('/v1/admin/nodes', { name: NODE, type: 'auto', ...connection })
  const { ok, message } = await admin.post(`/v1/admin/nodes/${id}/test`)
  if (!ok) throw new Error(`The panel cannot be used: ${message}`)
  return id
}

const NODE = 'Sandbox panel'

/** The panel's eggs by name. */
export async function syncEggs(admin: Api, nodeId: string): Promise<ReadonlyMap<string, string>> {
  await admin.post(`/v1/admin/nodes/${nodeId}/sync-eggs`)
  const { data } = await admin.get('/v1/admin/eggs?limit=100')
  return new Map(data.map((egg: Answer) => [egg.name, egg.id]))
}

async function ensureTaxRate(admin: Api): Promise<void> {
  const { data } = await admin.get('/v1/admin/tax-rates?limit=100')
  if (data.some((it: Answer) => it.name === TAX_RATE.name)) return
  await admin.post('/v1/admin/tax-rates', TAX_RATE)
}

const TAX_RATE = { name: 'TVA', country: 'FR', rateBasisPoints: 2000 }

type Blueprints = { nodeId: string; eggs: ReadonlyMap<string, string> }

async function fillCatalog(admin: Api, blueprints: Blueprints): Promise<Filled['products']> {
  const categoryIds = await bySlug(admin, 'categories')
  for (const [position, category] of categories.entries()) {
    if (categoryIds.has(category.slug)) continue
    const { id } = await admin.post('/v1/admin/categories', { ...category, position })
    categoryIds.set(category.slug, { id })
  }
  const known = await bySlug(admin, 'products')
  const filled: Filled['products'] = []
  for (const [position, product] of products.entries()) {
    const locations = await ensureLocations(admin, product, blueprints)
    const categoryId = categoryIds.get(product.category)?.id ?? null
    const made =
      known.get(product.slug) ??
      (await admin.post('/v1/admin/products', {
        ...{ slug: product.slug, name: product.name, description: product.description },
        ...{ categoryId, position, stock: product.stock ?? null },
        provisioning: blueprintOf(product, blueprints),
        ...(locations.length > 0 && { locations }),
      }))
    await ensureOptions(admin, made, product)
    filled.push(await withPlans(admin, made, product))
  }
  await nameTargets(admin, filled)
  return filled
}

/** The locations that a product is sold in, made where they are not there yet. */
async function ensureLocations(
  admin: Api,
  { locations = [] }: Product,
  { nodeId }: Blueprints,
): Promise<string[]> {
  if (locations.length === 0) return []
  const { data } = await admin.get('/v1/admin/locations?limit=100')
  const ids: string[] = []
  for (const { remoteId, priceCents, ...location } of locations) {
    const known = data.find((it: Answer) => it.name === location.name)
    const places = [{ nodeId, remoteId }]
    const { id } = known ?? (await admin.post('/v1/admin/locations', { ...location, places }))
    const prices = priceCents > 0 ? [{ ...EVERY_MONTH, priceCents }] : []
    await admin.put(`/v1/admin/locations/${id}/prices`, { prices })
    ids.push(id)
  }
  return ids
}

/** The options of a product, in a group of its own. */
async function ensureOptions(
  admin: Api,
  { id }: Answer,
  { name, options = [] }: Product,
): Promise<void> {
  if (options.length === 0) return
  const { data } = await admin.get('/v1/admin/option-groups?limit=100')
  const known = data.find((it: Answer) => it.name === name)
  const group = known ?? (await admin.post('/v1/admin/option-groups', { name, productIds: [id] }))
  const { data: made } = await admin.get('/v1/admin/options?limit=100')
  for (const option of options) {
    const isThere = made.some((it: Answer) => it.groupId === group.id && it.key === option.key)
    if (!isThere) await admin.post('/v1/admin/options', { ...option, groupId: group.id })
  }
}

/** Says which product each can be moved up to, once all are there. */
async function nameTargets(admin: Api, filled: Filled['products']): Promise<void> {
  const ids = new Map(filled.map(({ slug, id }) => [slug, id]))
  for (const { slug, upgradesTo } of products) {
    const target = ids.get(upgradesTo ?? '')
    if (target)
      await admin.patch(`/v1/admin/products/${ids.get(slug)}`, { upgradeTargetIds: [target] })
  }
}

async function bySlug(admin: Api, list: 'categories' | 'products'): Promise<Map<string, Answer>> {
  const { data } = await admin.get(`/v1/admin/${list}?limit=100`)
  return new Map(data.map((it: Answer) => [it.slug, it]))
}

function blueprintOf(product: Product, { nodeId, eggs }: Blueprints): object {
  const { egg, memoryMb, diskMb, cpuPercent, environment = {} } = product
  const eggId = eggs.get(egg)
  if (!eggId) throw new Error(`The panel has no egg named ${egg}`)
  return {
    ...{ eggId, nodeIds: [nodeId], limits: { memoryMb, diskMb, cpuPercent }, environment },
    featureLimits: { databases: 1, backups: 2, allocations: 1 },
  }
}

async function withPlans(
  admin: Api,
  made: Answer,
  { plans, slug }: Product,
): Promise<Filled['products'][number]> {
  const planIds: string[] = []
  for (const plan of plans) {
    const known = made.plans.find((it: Answer) => it.name === plan.name)
    const { id } = known ?? (await admin.post('/v1/admin/plans', { productId: made.id, ...plan }))
    planIds.push(id)
  }
  await admin.post(`/v1/admin/products/${made.id}/publish`)
  return { id: made.id, slug, planId: planIds[0] ?? '', priceCents: plans[0].priceCents }
}
