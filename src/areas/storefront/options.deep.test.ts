import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser, openPage } from '#test/browser.ts'
import { checkOut } from '#test/checkout.ts'
import { assertWellMade, deskShop, skip } from '#test/desk.ts'
import { addLocation } from '#test/locations.ts'
import { givePassword } from '#test/relying-party.ts'
import { signIn } from '#test/screens.ts'

const monthly = { interval: 'month', currency: 'EUR' }
const shop = await deskShop()
const { origin, admin, app, catalog, eggId, nodeId, gatewayId } = shop
const place = [{ nodeId, remoteId: '1' }]
const near = await addLocation(admin, 'Frankfurt', place)
const far = await addLocation(admin, 'Singapore', place, { country: 'SG', position: 1 })
await admin.put(`/v1/admin/locations/${far.id}/prices`, {
  prices: [{ ...monthly, priceCents: 200 }],
})
const { product } = await catalog.offer(
  {},
  {
    provisioning: {
      ...{ eggId, nodeIds: [nodeId] },
      limits: { memoryMb: 1024, diskMb: 1024, cpuPercent: 100 },
    },
    locations: [near.id, far.id],
  },
)
const { body: group } = await admin.post('/v1/admin/option-groups', {
  ...{ name: 'Size', productIds: [product.id] },
})
await admin.post('/v1/admin/options', {
  ...{ groupId: group.id, key: 'memory', kind: 'quantity', name: 'Memory', unit: 'GB' },
  ...{ max: 32, display: 'slider', priceMode: 'graduated', tiers: [{ upTo: 2 }, { upTo: null }] },
  effect: { kind: 'resource', amounts: { memoryMb: 1024 } },
  prices: [
    { tier: 0, ...monthly, priceCents: 150 },
    { tier: 1, ...monthly, priceCents: 100 },
  ],
})

const LOOKS = [
  { width: 1440, locale: 'en-GB', colorScheme: 'light', total: /€19\.20/ },
  { width: 390, locale: 'fr-FR', colorScheme: 'dark', total: /19,20/ },
] as const

test('a customer builds a server with a slider and a location, pays, and the panel has exactly that', {
  skip,
}, async () => {
  for (const { width, locale, colorScheme, total } of LOOKS) {
    const buyer = await shop.customer()
    await givePassword(app, buyer.userId)
    await inBrowser(async (browser) => {
      const viewport = { width, height: 900 }
      const { page, faults } = await openPage(browser, { locale, colorScheme, viewport })
      await signIn(page, origin, buyer.email)
      await page.goto(`${origin}/p/${product.slug}`)
      await page.getByRole('radio', { name: /Singapore/ }).check()
      await page.locator('[data-slider]').fill('3')
      assert.equal(await page.locator('[name="option.number.memory"]').inputValue(), '3')
      await page
        .locator('[data-size=memoryMb]')
        .getByText(/^4 G[Bo]$/)
        .waitFor()
      // 1000, 200 for the location, 2 × 150 + 100 for the memory; with 20 %.
      await page
        .locator('[data-show=total]')
        .first()
        .getByText(total)
        .waitFor({ state: 'attached' })
      await assertWellMade(page, `order-form-options-${width}`)
      await page.locator('.addcart').click()
      await page.waitForURL(`${origin}/cart`)
      assert.deepEqual(faults, [])
    })
    const { body: cart } = await buyer.get('/v1/cart')
    assert.deepEqual([cart.totalCents, cart.items[0].options], [1920, { memory: 3 }])
    const { body: placed, text } = await checkOut(buyer, { gatewayId })
    assert.equal(placed.invoice?.totalCents, 1920, text)
    await shop.complete(placed.payment.redirectUrl)
    const { id, limits } = await shop.serviceBecame(buyer, 'active')
    assert.equal(limits.memoryMb, 4096)
    const { body: service } = await admin.get(`/v1/admin/services/${id}`)
    const server = (await shop.servers()).find((it) => it.externalId === service.externalId)
    assert.equal(server?.limits.memory, 4096)
    await inBrowser(async (browser) => {
      const viewport = { width, height: 900 }
      const { page, faults } = await openPage(browser, { locale, colorScheme, viewport })
      await signIn(page, origin, buyer.email)
      await page.goto(`${origin}/servers/${id}`)
      await page.getByText('3 GB').waitFor()
      await assertWellMade(page, `service-options-${width}`)
      assert.deepEqual(faults, [])
    })
  }
})
