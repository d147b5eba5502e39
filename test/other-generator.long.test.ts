import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { gameShop } from '#test/game-shop.ts'
import { apiKey } from '#test/people.ts'

/**
 * A client that somebody else's generator makes of the API document: Hey API, MIT. It is installed into a temporary folder, because
 * nothing else needs it; without the package registry the test is skipped.
 */
const GENERATOR = '@hey-api/openapi-ts@0.95.0'
/** It works with the compiler that is written in JavaScript, and would take the newest. */
const COMPILER = 'typescript@5.9.3'
const ROOT = path.join(import.meta.dirname, '..')
const run = promisify(execFile)

const PURCHASE = `
import { billingCheckout, cartItemsCreate, metaGet, servicesGet, storeProductsGet } from './made'
import { createClient } from './made/client'

type Wish = { url: string; key: string; product: string; pay: (page: string) => void }

export async function buyServer({ url, key, product, pay }: Wish): Promise<string> {
  const client = createClient({ baseUrl: url, headers: { authorization: \`Bearer \${key}\` } })
  const options = { client, throwOnError: true } as const
  const { data: found } = await storeProductsGet({ ...options, path: { idOrSlug: product } })
  const { data: meta } = await metaGet(options)
  const [plan, gateway] = [found.plans[0], meta.gateways[0]]
  if (!plan || !gateway) throw new Error('Nothing can be bought.')
  await cartItemsCreate({ ...options, body: { planId: plan.id } })
  const body = { gatewayId: gateway.id, immediateStart: true }
  const { data } = await billingCheckout({ ...options, body })
  if (data.payment?.redirectUrl) pay(data.payment.redirectUrl)
  const path = { id: data.order.items[0]?.serviceIds[0] ?? '' }
  for (;;) {
    const { data: service } = await servicesGet({ ...options, path })
    if (service.status === 'failed') throw new Error('The server could not be created.')
    if (service.status === 'active' && service.panel?.address) return service.panel.address
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
`

const COMPILER_OPTIONS = {
  ...{ target: 'es2024', module: 'esnext', moduleResolution: 'bundler', types: [] },
  ...{ lib: ['es2024', 'dom', 'dom.iterable'], noEmit: true },
  ...{ strict: true, noUncheckedIndexedAccess: true, noImplicitOverride: true },
}

test('a client by another generator type-checks in a strict project, and buys a server', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-generator-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text)
  write('package.json', JSON.stringify({ private: true, type: 'module' }))
  write('purchase.ts', PURCHASE)
  write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
  try {
    await run('npm', ['install', GENERATOR, COMPILER, ...flags], { cwd: folder })
  } catch (error) {
    if (!/EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT/.test(String(error))) throw error
    return t.skip('the package registry cannot be reached')
  }
  const document = path.join(ROOT, 'docs/openapi.json')
  const generator = path.join(folder, 'node_modules/.bin/openapi-ts')
  await run(generator, ['-i', document, '-o', 'made'], { cwd: folder })
  const compiler = path.join(ROOT, 'node_modules/typescript-native/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd: folder })
  assert.equal(stdout, '')
  const outfile = path.join(folder, 'purchase.js')
  await build({
    ...{ entryPoints: [path.join(folder, 'purchase.ts')], outfile, logLevel: 'error' },
    ...{ bundle: true, format: 'esm', platform: 'node' },
  })
  const { buyServer } = await import(pathToFileURL(outfile).href)

  const shop = await gameShop()
  await shop.server({ name: 'Castle', slug: 'castle' })
  const customer = await shop.buyer({ country: 'FR' })
  const { key } = await apiKey(shop.app, customer, { permission: 'read-write' })
  const pay = (page: string) => void shop.complete(page)
  const address = await buyServer({ url: shop.app.url, key, product: 'castle', pay })
  assert.match(address, /^[\w.-]+:\d+$/)
})
