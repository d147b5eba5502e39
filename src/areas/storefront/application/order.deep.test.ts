import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, deskShop, NARROW, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin, active, payment } = shop

test('one order shows its customer, invoice, payments and servers, and leads to each', {
  skip,
}, async () => {
  const { orderId } = (await admin.get(`/v1/admin/services/${active.id}`)).body
  const order = (await admin.get(`/v1/admin/orders/${orderId}`)).body
  const { DESK_PICTURES: folder } = process.env
  for (const look of [WIDE, NARROW]) {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/orders/${orderId}`)
      for (const path of [
        ...[`people/${order.userId}`, `invoices/${order.invoice.id}`],
        ...[`payments/${payment.id}`, `servers/${active.id}`],
      ]) {
        assert.equal(await page.locator(`main a[href="/admin/${path}"]`).count(), 1, path)
      }
      if (folder) await page.screenshot({ path: `${folder}/order-${look.width}.png` })
      assert.deepEqual(await violationsOf(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    })
  }
})
