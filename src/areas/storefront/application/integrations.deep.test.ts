import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  asStaff,
  deskShop,
  type Look,
  NARROW,
  openScreen,
  skip,
  violationsOf,
  WIDE,
} from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin } = shop

const WORDS = {
  en: {
    ...{ save: 'Save', rotate: 'New secret', services: 'Services (services)' },
    ...{ overlap: /^Old secret/, logout: /^Redirect URIs after/, close: 'Close' },
    ...{ rotateOf: 'New secret for', later: /works until/ },
  },
  fr: {
    ...{ save: 'Enregistrer', rotate: 'Nouveau secret', services: 'Les services (services)' },
    ...{ overlap: /^Ancien secret/, logout: /^URI de redirection après/, close: 'Fermer' },
    ...{ rotateOf: 'Nouveau secret pour', later: /reste valable jusqu/ },
  },
} as const

async function assertWellMade(page: Page, picture: string) {
  const { DESK_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${picture}.png` })
  assert.deepEqual(await violationsOf(page), [], picture)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
}

const atScreen = (look: Look, work: (page: Page) => Promise<void>) =>
  asStaff(shop, { ...look, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/integrations`)
    await work(page)
  })

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`staff change an application and rotate its secret (${look.locale})`, { skip }, async () => {
    const { body: made } = await admin.post('/v1/admin/oauth-clients', {
      ...{ name: `Forum ${look.locale}`, redirectUris: ['https://forum.example.org/callback'] },
    })
    const path = `/v1/admin/oauth-clients/${made.id}`
    await atScreen(look, async (page) => {
      await page.getByRole('button', { name: made.name, exact: true }).click()
      const drawer = page.getByRole('dialog', { name: made.name, exact: true })
      await drawer.locator('[name="name"]').fill(`Wiki ${look.locale}`)
      await drawer
        .locator('[name="redirectUris"]')
        .fill('https://wiki.example.org/a\nhttps://wiki.example.org/b')
      await drawer.getByLabel(words.logout).fill('https://wiki.example.org/out')
      await drawer.getByLabel(words.services, { exact: true }).check()
      await drawer.getByLabel(words.overlap).fill('24')
      await assertWellMade(page, `application-${look.width}`)
      await drawer.getByRole('button', { name: words.save, exact: true }).click()
      await drawer.waitFor({ state: 'detached' })
      const { body: saved } = await admin.get(path)
      assert.deepEqual(
        [saved.name, saved.redirectUris, saved.postLogoutRedirectUris],
        [
          `Wiki ${look.locale}`,
          ['https://wiki.example.org/a', 'https://wiki.example.org/b'],
          ['https://wiki.example.org/out'],
        ],
      )
      assert.ok(saved.scopes.includes('services'))
      assert.equal(saved.secretOverlapSeconds, 24 * 3600)

      await page.getByRole('button', { name: `${words.rotateOf} ${saved.name}` }).click()
      const question = page.getByRole('dialog').filter({ hasText: '24 h' }).last()
      await question.waitFor()
      await assertWellMade(page, `application-rotation-${look.width}`)
      await question.getByRole('button', { name: words.rotate, exact: true }).press('Enter')
      const secret = page.locator('.copy.big').last()
      await secret.waitFor()
      await assertWellMade(page, `application-secret-${look.width}`)
      const shown = (await secret.innerText()).trim()
      const { body: rotated } = await admin.get(path)
      assert.notEqual(rotated.clientSecret, saved.clientSecret)
      assert.ok(
        shown.length > 20 && shown.endsWith(rotated.clientSecret.slice(-4)),
        shown.length.toString(),
      )
      await page.getByRole('button', { name: words.close, exact: true }).last().click()
      await page
        .getByRole('listitem')
        .filter({ hasText: saved.name })
        .getByText(words.later)
        .waitFor()
      assert.equal(await page.getByText(shown).count(), 0)
    })
  })
}
