import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  asStaff,
  deskShop,
  NARROW,
  openScreen,
  settled,
  skip,
  violationsOf,
  WIDE,
} from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, owner, admin } = shop

async function assertWellMade(page: Page, picture: string) {
  await settled(page)
  const { DESK_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${picture}.png`, fullPage: true })
  assert.deepEqual(await violationsOf(page), [], picture)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
}

const WORDS = {
  en: {
    ...{ create: 'New customer', verb: 'Create and send the e-mail', email: 'E-mail address' },
    ...{ name: 'Name', country: 'Country', taken: 'An account has this address already.' },
    ...{ street: 'Street', postcode: 'Postcode', city: 'City', france: 'France' },
    created: 'The account is created, and the e-mail is on its way',
  },
  fr: {
    ...{ create: 'Nouveau client', verb: 'Créer et envoyer l’e-mail', email: 'Adresse e-mail' },
    ...{ name: 'Nom', country: 'Pays', street: 'Rue', postcode: 'Code postal', city: 'Ville' },
    ...{ taken: 'Aucun compte ne peut être ouvert avec cette adresse.', france: 'France' },
    created: 'Le compte est créé et l’e-mail est en cours d’envoi',
  },
} as const

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`staff create an account, and learn that an address is taken (${look.locale}, ${look.width})`, {
    skip,
  }, async () => {
    const email = `new.${look.locale}@example.org`
    const exactly = { exact: true }
    await asStaff(shop, { ...look, email: owner.email, refused: [409] }, async (page) => {
      await openScreen(page, `${origin}/admin/people`)
      await assertWellMade(page, `people-${look.width}`)
      await page.getByRole('button', { name: words.create }).click()
      const dialog = page.getByRole('dialog')
      const fill = (label: string, value: string) =>
        dialog
          .getByLabel(label, exactly)
          .or(dialog.getByLabel(`${label} *`, exactly))
          .fill(value)
      const submit = dialog.getByRole('button', { name: words.verb })
      await fill(words.name, 'Katherine Johnson')
      assert.ok(await submit.isDisabled())
      await fill(words.email, owner.email)
      await submit.click()
      await dialog.getByText(words.taken).waitFor()

      await fill(words.email, email)
      await fill(words.street, '1 rue de Lyon')
      assert.ok(await submit.isDisabled())
      await fill(words.postcode, '69001')
      await fill(words.city, 'Lyon')
      await dialog.getByRole('combobox', { name: words.country }).click()
      await page.getByRole('option', { name: words.france, exact: true }).click()
      await assertWellMade(page, `person-new-${look.width}`)
      await submit.click()
      await page.getByText(words.created).waitFor()
      await page.getByRole('heading', { name: 'Katherine Johnson', level: 1 }).waitFor()
      const { data } = (await admin.get(`/v1/admin/users?search=${email}`)).body
      assert.equal(data.length, 1)
      assert.equal(data[0].address.city, 'Lyon')
      assert.equal(page.url(), `${origin}/admin/people/${data[0].id}`)
    })
  })
}

test('without the permission to change people there is no button', { skip }, async () => {
  const reader = await person(shop.app, { permissions: ['users:read'] })
  await givePassword(shop.app, reader.userId)
  await asStaff(shop, { ...WIDE, email: reader.email }, async (page) => {
    await openScreen(page, `${origin}/admin/people`)
    assert.equal(await page.getByRole('button', { name: WORDS.en.create }).count(), 0)
  })
})
