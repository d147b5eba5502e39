import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser, openPage, withoutBrowser } from '#test/browser.ts'
import { checkOut } from '#test/checkout.ts'
import { signIn as signInAsStaff } from '#test/desk.ts'
import { givePassword } from '#test/relying-party.ts'
import { assertSoundPage, screenShop, signIn, whole } from '#test/screens.ts'

const monthly = { interval: 'month', currency: 'EUR' }
const memory = (max: number) => ({
  ...{ key: 'memory', kind: 'quantity', name: 'Memory', unit: 'GB', max },
  prices: [{ tier: 0, ...monthly, priceCents: 150 }],
})
const slots = {
  ...{ key: 'slots', kind: 'quantity', name: 'Slots', max: 100 },
  prices: [{ tier: 0, ...monthly, priceCents: 10 }],
}

test('an owner and staff see what becomes of each option with another size, and give up what it does not offer', {
  skip: withoutBrowser,
}, async () => {
  const shop = await screenShop()
  const { admin, app, catalog, eggId, nodeId, gatewayId, origin } = shop
  const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
  const provisioning = { eggId, nodeIds: [nodeId], limits }
  const offer = async (priceCents: number, options: readonly object[], product: object) => {
    const made = await catalog.offer({ priceCents }, { provisioning, ...product })
    const productIds = [made.product.id]
    const { body } = await admin.post('/v1/admin/option-groups', { name: 'Size', productIds })
    for (const option of options) {
      const wanted = { ...option, groupId: body.id }
      const { status, text } = await admin.post('/v1/admin/options', wanted)
      assert.equal(status, 201, text)
    }
    return made
  }
  const large = await offer(2000, [memory(8)], { name: 'Large' })
  const small = await offer(1000, [memory(32), slots], {
    ...{ name: 'Small', upgradeTargetIds: [large.product.id] },
  })
  const owner = await shop.customer()
  await givePassword(app, owner.userId)
  await givePassword(app, admin.userId)
  const options = { memory: 4, slots: 20 }
  await owner.post('/v1/cart/items', { planId: small.plan.id, options })
  const placed = await checkOut(owner, { gatewayId, acceptedTermsVersion: 1 })
  assert.equal(placed.status, 201, placed.text)
  await shop.complete(placed.body.payment.redirectUrl)
  const { id } = await shop.serviceBecame(owner, 'active')
  await inBrowser(async (browser) => {
    for (const [locale, width, colorScheme, open, giveUp, pay] of [
      ['fr', 390, 'dark', 'Changer de taille', 'Renoncer à Slots: 20', /Payer .* et/],
      ['en', 1440, 'light', 'Change size', 'Give up Slots: 20', /Pay €.* and change/],
    ] as const) {
      const what = `${locale} ${width}`
      const viewport = { width, height: 900 }
      const { page, faults } = await openPage(browser, { locale, colorScheme, viewport })
      await signIn(page, origin, owner.email)
      await page.goto(`${origin}/servers/${id}/plan`)
      await whole(page)
      await page.getByRole('button', { name: open }).click()
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('radio').click()
      const consent = drawer.getByRole('checkbox', { name: giveUp })
      await consent.waitFor()
      const button = drawer.getByRole('button', { name: pay })
      assert.equal(await button.count(), 0, `${what}: nothing is ordered before that`)
      await consent.click()
      await drawer.getByLabel('Memory').fill('6')
      await drawer.getByText('4 GB → 6 GB').waitFor()
      await button.waitFor()
      await assertSoundPage(page, what)
      assert.deepEqual(faults, [], what)
      if (locale === 'en') {
        await button.click()
        await page.waitForURL(/\/invoices\//)
      }
      await page.close()
    }
    const { body } = await owner.get(`/v1/services/${id}`)
    assert.equal(body.upgrade.productId, large.product.id)
    const given = await admin.post(`/v1/admin/services/${id}/cancel-upgrade`)
    assert.equal(given.status, 200, given.text)
    const { page, faults } = await openPage(browser, {
      ...{ locale: 'en', viewport: { width: 1440, height: 900 } },
    })
    await page.goto(`${origin}/sign-in`)
    await signInAsStaff(page, admin.email)
    await page.waitForURL(`${origin}/admin`)
    await page.goto(`${origin}/admin/servers/${id}`)
    await whole(page)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Change the size' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('radio').click()
    await drawer.getByRole('checkbox', { name: 'Give up Slots: 20' }).click()
    await drawer.getByText('20 → None').waitFor()
    await assertSoundPage(page, 'administration')
    assert.deepEqual(faults, [])
  })
})
