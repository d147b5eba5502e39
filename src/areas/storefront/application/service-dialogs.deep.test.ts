import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  asStaff,
  assertWellMade,
  deskShop,
  type Look,
  NARROW,
  openScreen,
  skip,
  WIDE,
} from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin, app, ada, active } = shop
await admin.patch('/v1/admin/shop', { brand: { primaryColor: '#ffd400' } })
const SERVICE = `/v1/admin/services/${active.id}`

/** Opens the screen of the service, and one of its further actions. */
async function choose(page: Page, { locale }: Look, english: string, french: string) {
  await openScreen(page, `${origin}/admin/servers/${active.id}`)
  const isFrench = locale === 'fr'
  await page.getByRole('button', { name: isFrench ? 'Autres actions' : 'More actions' }).click()
  await page.getByRole('menuitem', { name: isFrench ? french : english }).click()
  return page.getByRole('dialog')
}

test('staff give a service free days, which the customer reads, and a repetition gives no more', {
  skip,
}, async () => {
  const { body: before } = await admin.get(SERVICE)
  for (const look of [WIDE, NARROW]) {
    const isFrench = look.locale === 'fr'
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const dialog = await choose(page, look, 'Give free days', 'Offrir des jours')
      const give = dialog.getByRole('button', {
        name: isFrench ? 'Offrir des jours' : 'Give free days',
      })
      assert.equal(await give.isDisabled(), true, 'a reason is required')
      await dialog.getByRole('textbox').last().fill('The node was not reachable.')
      await assertWellMade(page, `give-days-${look.width}`)
      await give.click()
      await dialog.waitFor({ state: 'detached' })
      await page
        .getByText(isFrench ? 'Jours offerts' : 'Free days until')
        .first()
        .waitFor()
    })
  }
  const { body: after } = await admin.get(SERVICE)
  const days = (Date.parse(after.freeUntil) - Date.parse(before.currentPeriodEnd)) / 86_400_000
  assert.equal(days, 3)
  const { data } = (await ada.get('/v1/notifications')).body
  assert.equal(data.filter((it: { kind: string }) => it.kind === 'free_days').length, 1)
})

test('staff change a start-up variable of the server of a customer', { skip }, async () => {
  const version = () =>
    admin
      .get(`${SERVICE}/startup`)
      .then(({ body }) =>
        body.environment.find(({ env }: { env: string }) => env === 'MINECRAFT_VERSION'),
      )
  for (const look of [WIDE, NARROW]) {
    const isFrench = look.locale === 'fr'
    const wanted = isFrench ? '1.20.4' : '1.21.4'
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const dialog = await choose(page, look, 'Start-up settings', 'Réglages de démarrage')
      await dialog.getByLabel('Minecraft Version').fill(wanted)
      await assertWellMade(page, `startup-${look.width}`)
      await dialog.getByRole('button', { name: isFrench ? 'Enregistrer' : 'Save' }).click()
      await app.eventually('it is changed', async () => (await version()).value === wanted)
    })
  }
})

test('staff reinstall the server of a customer after a confirmation', { skip }, async () => {
  for (const look of [WIDE, NARROW]) {
    const before = await shop.panel.calls('POST', /\/reinstall$/)
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const dialog = await choose(page, look, 'Reinstall', 'Réinstaller')
      await assertWellMade(page, `reinstall-${look.width}`)
      assert.equal(await shop.panel.calls('POST', /\/reinstall$/), before, 'nothing happened yet')
      const name = look.locale === 'fr' ? 'Réinstaller' : 'Reinstall'
      await dialog.getByRole('button', { name }).click()
      await dialog.waitFor({ state: 'detached' })
    })
    assert.equal(await shop.panel.calls('POST', /\/reinstall$/), before + 1)
    await app.eventually('it is installed', async () => {
      const { body } = await admin.get(`${SERVICE}/status`)
      return body.available
    })
  }
})

test('staff see with whom a server is shared, and remove a person', { skip }, async () => {
  const friend = await shop.customer()
  for (const look of [WIDE, NARROW]) {
    await ada.post(`/v1/services/${active.id}/invitations`, {
      ...{ email: friend.email, permissions: ['view'] },
    })
    const { body } = await friend.get('/v1/invitations')
    const accepted = await friend.post(`/v1/invitations/${body.data[0].token}/accept`)
    assert.equal(accepted.status, 200, accepted.text)
    const verb = look.locale === 'fr' ? 'Retirer' : 'Remove'
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/servers/${active.id}`)
      await page.getByRole('button', { name: `${verb}: ${friend.name}` }).click()
      const dialog = page.getByRole('dialog')
      await assertWellMade(page, `member-${look.width}`)
      await dialog.getByRole('button', { name: verb }).click()
      await page
        .getByRole('button', { name: `${verb}: ${friend.name}` })
        .waitFor({ state: 'detached' })
    })
    assert.equal((await friend.get(`/v1/services/${active.id}`)).status, 404)
  }
})
