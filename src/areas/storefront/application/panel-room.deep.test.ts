import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { clientOf } from '#panel'
import { until } from '#test/app.ts'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin, app, db, nodeId, tenantId, active, ada } = shop
await admin.patch('/v1/admin/shop', { brand: { primaryColor: '#ffd400' } })
const client = await clientOf(app.deps, db, { tenantId, nodeId })
const { body: ofStaff } = await admin.get(`/v1/admin/services/${active.id}`)

/** A server that was made on the panel by hand. */
async function handMade(name: string) {
  const pattern = await client.getServer(ofStaff.panel.serverId)
  const made = await client.createServer({
    ...{ ...pattern, name, externalId: `old-${newId()}` },
    placement: { locationIds: [], dedicatedIp: false, portRange: [] },
    ...{ skipScripts: true, startOnCompletion: false },
  })
  await until(
    'it is installed',
    async () => (await client.getServer(made.id)).status === 'installed',
  )
  return made
}

test('staff see the room on each node of a panel, and how much is left for a product', {
  skip,
}, async () => {
  await handMade('Old survival')
  for (const look of [WIDE, NARROW]) {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/panels/${nodeId}`)
      const nodes = page.getByRole('table', {
        name: look === WIDE ? 'Nodes of the panel' : 'Nœuds du panneau',
      })
      const [first] = await client.listNodes()
      await nodes.getByRole('row', { name: first?.name ?? '' }).waitFor()
      if (look === WIDE) await nodes.getByRole('meter').first().waitFor()
      await page.getByText('Old survival').waitFor()
      await assertWellMade(page, `panel-${look.width}`)
      await openScreen(page, `${origin}/admin/products/${shop.productId}`)
      await page.getByText(look === WIDE ? /There is room for \d+/ : /Il y a de la place/).waitFor()
      await assertWellMade(page, `product-${look.width}`)
    })
  }
})

test('staff who place a failed server elsewhere see the room on the nodes of the chosen panel', {
  skip,
}, async () => {
  const [node] = await client.listNodes()
  const { body: panel } = await admin.get(`/v1/admin/nodes/${nodeId}`)
  for (const look of [WIDE, NARROW]) {
    const [place, choice] =
      look === WIDE ? ['Place elsewhere', /Panel/] : ['Installer ailleurs', /Panneau/]
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/servers/${shop.failedId}`)
      await page.getByRole('button', { name: place }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('combobox', { name: choice }).click()
      await page.getByRole('option', { name: panel.name, exact: true }).click()
      const room = dialog.locator('dl.facts')
      assert.match(await room.innerText(), new RegExp(`^${node?.name}\\s+.*(?:free of|libre)`))
      await assertWellMade(page, `place-${look.width}`)
    })
  }
})

test('staff adopt a server of the panel without a comparison', { skip }, async () => {
  const { id } = await handMade('Old creative')
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/panels/${nodeId}`)
    await page.getByRole('button', { name: 'Adopt: Old creative' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Customer' }).fill(ada.email)
    await page.getByRole('option', { name: ada.email }).click()
    await dialog.getByRole('combobox', { name: 'Plan' }).click()
    await page.getByRole('option').first().click()
    await dialog.getByLabel('Paid until').fill(active.currentPeriodEnd.slice(0, 10))
    await dialog.getByRole('button', { name: 'Adopt' }).click()
    await page.getByText('The service was created').waitFor()
    await page.getByRole('button', { name: 'Adopt: Old creative' }).waitFor({ state: 'detached' })
  })
  const { body } = await admin.get(`/v1/admin/nodes/${nodeId}/servers`)
  const adopted = body.data.find((it: { id: number }) => it.id === id)
  assert.ok(adopted.serviceId)
})
