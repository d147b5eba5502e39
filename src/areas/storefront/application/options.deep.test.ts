import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import type { Made } from '#test/shop.ts'

const shop = await deskShop()
const { origin, owner, admin, productId } = shop

/** The options of the product as buyers are asked for them. */
async function formOf(): Promise<Made[]> {
  return (await shop.app.get(`/v1/store/products/${productId}`)).body.orderForm.options
}

test('staff make a group with a slider and a select, and the form of its product asks for both', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/options`)
    await page.getByText('No options yet').waitFor()
    await page.getByRole('button', { name: 'Add group' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Upgrades')
    await dialog.getByRole('combobox', { name: 'Products' }).click()
    await page.getByRole('option', { name: 'Eight gigabytes' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Group saved').waitFor()

    await page.getByRole('button', { name: 'Add option to Upgrades' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Memory')
    await dialog.getByRole('textbox', { name: 'Key' }).fill('memory')
    await dialog.getByRole('textbox', { name: 'Unit' }).fill('GB')
    await dialog.getByRole('combobox', { name: 'Add a cycle and currency' }).click()
    await page.getByRole('option', { name: 'month, EUR' }).click()
    await dialog.getByRole('textbox', { name: 'Each unit: Price' }).fill('1.50')
    await dialog.getByRole('combobox', { name: 'Effect on the server' }).click()
    await page.getByRole('option', { name: 'Adds resources' }).click()
    await dialog.getByRole('textbox', { name: 'Memory (MiB)' }).fill('1024')
    await dialog.getByText('€1.50 per month').waitFor()
    await assertWellMade(page, 'option-slider-1440')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Option saved').first().waitFor()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Add option to Upgrades' }).click()
    await dialog.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'One of several values' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Backups')
    await dialog.getByRole('textbox', { name: 'Key', exact: true }).fill('backups')
    await dialog.getByRole('textbox', { name: 'Key of value 1' }).fill('none')
    await dialog.getByRole('textbox', { name: 'Label of value 1' }).fill('None')
    await dialog.getByRole('button', { name: 'Add value' }).click()
    await dialog.getByRole('textbox', { name: 'Key of value 2' }).fill('daily')
    await dialog.getByRole('textbox', { name: 'Label of value 2' }).fill('Daily')
    await dialog.getByRole('combobox', { name: 'Add a cycle and currency' }).click()
    await page.getByRole('option', { name: 'month, EUR' }).click()
    await dialog.getByRole('textbox', { name: 'Daily: Price' }).fill('2')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Backups' }).waitFor()
    await assertWellMade(page, 'options-1440')
  })
  const [memory, backups] = await formOf()
  assert.deepEqual(
    [memory.key, memory.unit, memory.max, memory.prices[0].priceCents],
    ['memory', 'GB', 32, 150],
  )
  assert.deepEqual(
    [backups.key, ...backups.prices.map((it: Made) => [it.value, it.priceCents])],
    ['backups', ['none', 0], ['daily', 200]],
  )
  const [stored] = (await admin.get('/v1/admin/options')).body.data.slice(-1)
  assert.deepEqual(stored.effect, { kind: 'resource', amounts: { memoryMb: 1024 } })
})

test('staff say where a value is sold, what it requires and what it is called in another language, and restore what was archived', {
  skip,
}, async () => {
  const [group] = (await admin.get('/v1/admin/option-groups')).body.data
  const monthly = { interval: 'month', currency: 'EUR', priceCents: 0 }
  const { body: support } = await admin.post('/v1/admin/options', {
    ...{ groupId: group.id, key: 'support', kind: 'select', name: 'Support' },
    values: [
      { key: 'basic', label: 'Basic', default: true },
      { key: 'gold', label: 'Gold', stock: 3 },
    ],
    prices: [
      { value: 'basic', ...monthly },
      { value: 'gold', ...monthly },
    ],
  })
  const { body: paris } = await admin.post('/v1/admin/locations', {
    ...{ name: 'Paris', country: 'FR', places: [] },
  })
  const goldOf = async () => {
    const { body } = await admin.get(`/v1/admin/options/${support.id}`)
    return { ...body.values[1], texts: body.translations }
  }
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/options`)
    await page.getByRole('button', { name: 'Edit Support' }).click()
    const dialog = page.getByRole('dialog')
    const confirmed = (name: string) =>
      page
        .getByRole('dialog', { name: `Archive ${name}?` })
        .getByRole('button', { name: 'Archive' })
        .click()
    await dialog.getByText('When Gold can be chosen').press('Enter')
    await dialog.getByRole('combobox', { name: 'Locations of Gold' }).click()
    await page.getByRole('option', { name: 'Paris' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('combobox', { name: 'Gold requires Backups' }).click()
    await page.getByRole('option', { name: 'Daily' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('switch', { name: 'Units of Gold come back' }).press('Space')
    await dialog.getByText('Texts in other languages').press('Enter')
    await dialog.getByRole('combobox', { name: 'Language' }).press('ArrowDown')
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await dialog.getByRole('textbox', { name: 'Gold in this language' }).fill('Vergoldet')
    await assertWellMade(page, 'option-conditions-1440')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { locationIds, requires, stockReturns, stock, texts } = await goldOf()
    assert.deepEqual([locationIds, stockReturns, stock], [[paris.id], false, 3])
    assert.deepEqual(requires, [{ key: 'backups', values: ['daily'] }])
    assert.deepEqual(texts, { de: { values: { gold: 'Vergoldet' } } })

    // What the form does not change stays as it is.
    await page.getByRole('button', { name: 'Edit Support' }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Care')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await goldOf(), { ...(await goldOf()), locationIds, requires, texts })

    await page.getByRole('button', { name: 'Edit Care' }).click()
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await confirmed('Care')
    await page.getByRole('button', { name: 'Restore: Care' }).waitFor()
    await page.getByRole('button', { name: 'Edit Upgrades' }).click()
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await confirmed('Upgrades')
    await page.getByRole('button', { name: 'Restore: Upgrades' }).waitFor()
    await page.getByText('In an archived group: restore the group first.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Restore: Care' }).count(), 0)
    await assertWellMade(page, 'options-archived-1440')
    await page.getByRole('button', { name: 'Restore: Upgrades' }).click()
    await page.getByRole('button', { name: 'Restore: Upgrades' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Restore: Care' }).click()
    await page.getByRole('button', { name: 'Edit Care' }).waitFor()
  })
})

test('options are arranged and changed by keyboard, on a phone and in French', {
  skip,
}, async () => {
  await asStaff(shop, { ...NARROW, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/options`)
    await page.getByRole('button', { name: 'Modifier Memory' }).waitFor()
    await assertWellMade(page, 'options-390')
    await page.getByRole('list', { name: 'Upgrades' }).locator('.handle').first().focus()
    await page.keyboard.press('ArrowDown')
    await until('the order is saved', async () => (await formOf())[0].key === 'backups')
    await page.getByRole('button', { name: 'Modifier Memory' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: /Chaque unité\s: Prix/ }).fill('1,75')
    await assertWellMade(page, 'option-slider-390')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Option enregistrée').waitFor()
  })
  const [, memory] = await formOf()
  assert.equal(memory.prices[0].priceCents, 175)
})
