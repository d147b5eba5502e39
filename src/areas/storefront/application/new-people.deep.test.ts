import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, owner, admin } = shop

const WORDS = {
  en: {
    ...{ create: 'New customer', verb: 'Create and send the e-mail', email: 'E-mail address' },
    ...{ name: 'Name', country: 'Country', taken: 'An account has this address already.' },
    ...{ street: 'Street', postcode: 'Postcode', city: 'City', france: 'France' },
    created: 'The account is created, and the e-mail is on its way',
    ...{ more: 'More actions', write: 'Send an e-mail', subject: 'Subject', text: 'Text' },
    ...{ send: 'Send', mails: 'E-mails' },
    kept: 'The e-mail was stored but not sent: there is no mail server',
  },
  fr: {
    ...{ create: 'Nouveau client', verb: 'Créer et envoyer l’e-mail', email: 'Adresse e-mail' },
    ...{ name: 'Nom', country: 'Pays', street: 'Rue', postcode: 'Code postal', city: 'Ville' },
    ...{ taken: 'Aucun compte ne peut être ouvert avec cette adresse.', france: 'France' },
    created: 'Le compte est créé et l’e-mail est en cours d’envoi',
    ...{ more: 'Autres actions', write: 'Envoyer un e-mail', subject: 'Objet', text: 'Texte' },
    ...{ send: 'Envoyer', mails: 'E-mails' },
    kept: 'L’e-mail est enregistré mais pas envoyé : il n’y a pas de serveur de messagerie',
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

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`staff write a mail to one customer, and find it among the mails (${look.locale}, ${look.width})`, {
    skip,
  }, async () => {
    const subject = `About Lyon ${look.locale}`
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/people/${shop.ada.userId}`)
      await page.getByRole('button', { name: words.more, exact: true }).click()
      await page.getByRole('menuitem', { name: words.write }).click()
      const dialog = page.getByRole('dialog')
      const send = dialog.getByRole('button', { name: words.send, exact: true })
      await dialog.getByLabel(words.subject).fill(subject)
      assert.ok(await send.isDisabled())
      await dialog.getByLabel(words.text).fill('We moved your server.\n\nIt starts faster now.')
      await assertWellMade(page, `person-mail-${look.width}`)
      await send.click()
      await page.getByText(words.kept).waitFor()
      await page.getByText(subject).first().waitFor()
      await assertWellMade(page, `person-mailed-${look.width}`)
      await page.locator('#main').getByRole('link', { name: words.mails, exact: true }).click()
      await page.getByRole('button', { name: subject }).waitFor()
      assert.match(page.url(), /admin\/mails\?q=/)
    })
    const { data } = (await admin.get('/v1/admin/mails?kind=staff_message')).body
    assert.equal(data.filter((it: { subject: string }) => it.subject === subject).length, 1)
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
