import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { areas } from '#app/areas.ts'
import { startService } from '#platform/start.ts'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import { provisioningIn } from '#test/eggs.ts'
import { shopOf } from '#test/shop.ts'

/** As in the configuration: with its rendering, a change is visible within a second. */
const KEPT_MS = 900

test('a change of a price, a stock, a name or a brand is on the pages of every process within a second', async (t) => {
  const { app, admin } = await billingShop({ config: { sharedPagesMs: KEPT_MS } })
  const other = await startService({ ...app.deps.config, port: 0 }, areas, {
    migrating: false,
    log: pino({ level: 'silent' }),
  })
  t.after(() => other.stop())
  const catalog = shopOf(admin, await provisioningIn(app))
  const { id: categoryId } = await catalog.category({ slug: 'castles' })
  const { product, plan } = await catalog.offer({ priceCents: 1000 }, { categoryId, slug: 'small' })
  const changes = [
    [`/v1/admin/plans/${plan.id}`, { priceCents: 2000 }, /24\.00/],
    [`/v1/admin/products/${product.id}`, { name: 'Tiny castle' }, /Tiny castle/],
    [`/v1/admin/products/${product.id}`, { stock: 0 }, /Sold out/],
    ['/v1/admin/shop', { brand: { name: 'Harbour' } }, /Harbour/],
  ] as const
  const pageAt = async (url: string | null) => (await fetch(`${url}/castles/small`)).text()
  for (const [path, change, expected] of changes) {
    // Each process keeps a page that was just rendered.
    for (const url of [app.url, other.url]) assert.doesNotMatch(await pageAt(url), expected)
    const changed = await admin.patch(path, change)
    assert.equal(changed.status, 200, changed.text)
    const changedMs = performance.now()
    for (const url of [app.url, other.url]) {
      await until(`${url} shows ${expected}`, async () => expected.test(await pageAt(url)))
    }
    assert.ok(performance.now() - changedMs < KEPT_MS + 500, String(expected))
  }
})
