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
const { origin, owner, admin } = shop

const WORDS = {
  en: {
    ...{ save: 'Save', rotate: 'New secret', services: 'Services (services)' },
    ...{ overlap: /^Old secret/, logout: /^Redirect URIs after/, close: 'Close' },
    ...{ rotateOf: 'New secret for', later: /works until/ },
    ...{ add: 'New role mapping', source: 'Condition', object: /^Which one/ },
    ...{ group: 'Group of staff', product: 'Active service of a product', remove: 'Delete' },
  },
  fr: {
    ...{ save: 'Enregistrer', rotate: 'Nouveau secret', services: 'Les services (services)' },
    ...{ overlap: /^Ancien secret/, logout: /^URI de redirection après/, close: 'Fermer' },
    ...{ rotateOf: 'Nouveau secret pour', later: /reste valable jusqu/ },
    ...{ add: 'Nouvelle attribution de rôle', source: 'Condition', object: /^Lequel/ },
    ...{ group: 'Groupe de l’équipe', product: 'Service actif d’un produit', remove: 'Supprimer' },
  },
} as const

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

  test(`staff map a group and then a product to a role on Discord, and delete the mapping (${look.locale})`, {
    skip,
  }, async () => {
    const guild = `10000000000000${look.width}`
    const { body: group } = await admin.post('/v1/admin/rbac/groups', {
      ...{ name: `Moderators ${look.locale}`, roleIds: [], memberIds: [] },
    })
    const mapped = async () => {
      const { body } = await admin.get('/v1/admin/bot/role-mappings')
      const of = body.data.filter((it: { discordGuildId: string }) => it.discordGuildId === guild)
      return of.map((it: Record<string, string>) => [it.source, it.sourceId, it.discordRoleId])
    }
    await atScreen(look, async (page) => {
      const dialog = page.getByRole('dialog')
      const choose = async (field: string | RegExp, option: string) => {
        await dialog.getByRole('combobox', { name: field }).click()
        await page.getByRole('option', { name: option, exact: true }).click()
      }
      const save = async () => {
        await dialog.getByRole('button', { name: words.save, exact: true }).press('Enter')
        await dialog.waitFor({ state: 'detached' })
      }
      await page.getByRole('button', { name: words.add }).click()
      await choose(words.source, words.group)
      await choose(words.object, group.name)
      await dialog.locator('[name="discordGuildId"]').fill(guild)
      await dialog.locator('[name="discordRoleId"]').fill('200000000000000001')
      await assertWellMade(page, `mapping-${look.width}`)
      await save()
      assert.deepEqual(await mapped(), [['group', group.id, '200000000000000001']])

      await page.getByRole('button', { name: `${words.group}: ${group.name}`, exact: true }).click()
      await choose(words.source, words.product)
      await choose(words.object, 'Eight gigabytes')
      await dialog.locator('[name="discordRoleId"]').fill('200000000000000002')
      await save()
      assert.deepEqual(await mapped(), [['product', shop.productId, '200000000000000002']])

      const name = `${words.product}: Eight gigabytes`
      await page.getByRole('button', { name, exact: true }).waitFor()
      // Below the bar at the top, the visible part of a name would be too small a target.
      await page.evaluate('window.scrollTo(0, 0)')
      await assertWellMade(page, `mappings-${look.width}`)
      await page
        .getByRole('listitem')
        .filter({ hasText: guild })
        .getByText(words.remove, { exact: true })
        .click()
      await dialog.getByRole('button', { name: words.remove, exact: true }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(await mapped(), [])
    })
  })
}
