import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser, openPage, withoutBrowser } from '#test/browser.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { givePassword } from '#test/relying-party.ts'
import { assertSoundPage, screenShop, signIn, whole } from '#test/screens.ts'

type Body = Answer['body']

const monthly = { interval: 'month', currency: 'EUR' }
const WIDTHS = [390, 1440] as const

test('an owner changes options on the page of the plan, and sees before what that costs', {
  skip: withoutBrowser,
}, async () => {
  const shop = await screenShop()
  const { admin, app, catalog, eggId, nodeId, gatewayId, origin } = shop
  const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
  const provisioning = { eggId, nodeIds: [nodeId], limits }
  const { product, plan } = await catalog.offer({}, { provisioning })
  const productIds = [product.id]
  const { body: group } = await admin.post('/v1/admin/option-groups', { name: 'Size', productIds })
  const options = [
    {
      ...{ key: 'memory', kind: 'quantity', name: 'Memory', unit: 'GB', max: 32 },
      prices: [{ tier: 0, ...monthly, priceCents: 150 }],
    },
    {
      ...{ key: 'backups', kind: 'select', name: 'Backups' },
      values: [
        { key: 'none', label: 'None', default: true },
        { key: 'daily', label: 'Daily' },
      ],
      prices: [
        { value: 'none', ...monthly, priceCents: 0 },
        { value: 'daily', ...monthly, priceCents: 200 },
      ],
    },
    {
      ...{ key: 'ip', kind: 'toggle', name: 'Dedicated IP' },
      values: [
        { key: 'off', label: 'No' },
        { key: 'on', label: 'Yes' },
      ],
      prices: [{ value: 'on', ...monthly, priceCents: 300, feeCents: 500 }],
    },
  ]
  for (const option of options) {
    const { status, text } = await admin.post('/v1/admin/options', { ...option, groupId: group.id })
    assert.equal(status, 201, text)
  }
  const owner = await shop.customer()
  await givePassword(app, owner.userId)
  await owner.post('/v1/cart/items', { planId: plan.id, options: { memory: 4 } })
  const placed = await checkOut(owner, { gatewayId, acceptedTermsVersion: 1 })
  assert.equal(placed.status, 201, placed.text)
  await shop.complete(placed.body.payment.redirectUrl)
  const { id } = await shop.serviceBecame(owner, 'active')
  await inBrowser(async (browser) => {
    for (const [locale, button, change, colorScheme] of [
      ['en', 'Change options', /Pay €.* and change/, 'light'],
      ['fr', 'Modifier les options', /Payer .* et/, 'dark'],
    ] as const) {
      for (const width of WIDTHS) {
        const what = `${locale} ${width}`
        const { page, faults } = await openPage(browser, {
          ...{ locale, colorScheme, viewport: { width, height: 900 } },
        })
        await signIn(page, origin, owner.email)
        await page.goto(`${origin}/servers/${id}/plan`)
        await whole(page)
        await page.getByRole('button', { name: button }).focus()
        await page.keyboard.press('Enter')
        const drawer = page.getByRole('dialog')
        await drawer.getByLabel('Memory').fill('6')
        await drawer.getByLabel('Dedicated IP').focus()
        await page.keyboard.press('Space')
        await drawer.getByRole('button', { name: change }).waitFor()
        const text = await drawer.innerText()
        for (const line of ['Memory: 4 GB', 'Memory: 6 GB', 'Dedicated IP: Yes']) {
          assert.ok(text.includes(line.split(':')[0] ?? ''), `${what}: ${line} in ${text}`)
        }
        await page.screenshot({ path: `/tmp/options-${locale}-${width}.png` })
        await assertSoundPage(page, what)
        assert.deepEqual(faults, [], what)
        await page.close()
      }
    }
    const { page } = await openPage(browser, {
      locale: 'en',
      viewport: { width: 1440, height: 900 },
    })
    await signIn(page, origin, owner.email)
    await page.goto(`${origin}/servers/${id}/plan`)
    await whole(page)
    await page.getByRole('button', { name: 'Change options' }).click()
    await page.getByRole('dialog').getByLabel('Memory').fill('2')
    await page.getByRole('dialog').getByText('With the next period', { exact: true }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Change options' }).click()
    await page.getByText(/Memory: 2 GB from/).waitFor()
    await page.screenshot({ path: '/tmp/options-scheduled.png' })
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByText(/Memory: 2 GB from/).waitFor({ state: 'detached' })
    const { body } = await owner.get(`/v1/services/${id}/options`)
    assert.deepEqual((body as Body).scheduled, [])
  })
})
