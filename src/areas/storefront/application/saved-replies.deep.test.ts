import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { app, origin, owner, admin } = shop

/** A ticket of a customer of its own: a customer may open only a few in an hour. */
async function ticketOf(subject: string) {
  const { status, body, text } = await (await person(app)).post('/v1/tickets', {
    ...{ subject, body: 'Thanks.' },
  })
  assert.equal(status, 201, text)
  return body
}

const WORDS = {
  en: {
    ...{ add: 'New saved reply', name: /^Name/, text: 'English', save: 'Save', preview: 'Preview' },
    ...{
      after: 'Then the ticket is',
      closed: 'closed',
      addTags: 'Tags to add',
      archive: 'Archive',
    },
    ...{ picker: 'Saved reply', answer: /^Answer to the customer/, send: 'Send' },
    ...{ whenSent: 'When it is sent', not: 'Do not do this: Priority: High', priority: 'Priority' },
    ...{ high: 'High', sent: 'The answer was sent', closedNow: 'Closed', tags: 'Tags', tag: 'Tag' },
    ...{ missing: 'No value on this ticket. Check the text:', saved: 'Saved', show: 'Show' },
    ...{ archived: 'Archived', restore: 'Restore' },
    status: 'Then the ticket is',
  },
  fr: {
    ...{ add: 'Nouvelle réponse enregistrée', name: /^Nom/, text: 'English', save: 'Enregistrer' },
    ...{ preview: 'Aperçu', after: 'Ensuite, le ticket est', closed: 'fermé', archive: 'Archiver' },
    ...{ addTags: 'Étiquettes à ajouter', picker: 'Réponse enregistrée', send: 'Envoyer' },
    ...{
      answer: /^Réponse au client/,
      whenSent: 'À l’envoi',
      not: 'Ne pas faire : Priorité : Haute',
    },
    ...{
      priority: 'Priorité',
      high: 'Haute',
      sent: 'La réponse a été envoyée',
      closedNow: 'Fermé',
    },
    ...{ tags: 'Étiquettes', tag: 'Étiquette', saved: 'Enregistré', show: 'Afficher' },
    ...{ missing: 'Sans valeur pour ce ticket. Relisez le texte :', archived: 'Archivés' },
    ...{ restore: 'Restaurer', status: 'Ensuite, le ticket est' },
  },
} as const

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`staff save a reply, use it on a ticket without one of its actions, and archive it (${look.locale})`, {
    skip,
  }, async () => {
    const name = `Goodbye ${look.locale}`
    const ticket = await ticketOf(name)
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/saved-replies`)
      await page.getByRole('button', { name: words.add }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.name).fill(name)
      await dialog
        .getByLabel(words.text, { exact: true })
        .fill('Bye {{customer.firstName}}, {{ticket.number}} {{service.name}}')
      await dialog.getByRole('region', { name: words.preview }).getByText('T-7K3M9QXA').waitFor()
      await dialog.getByRole('combobox', { name: words.after }).click()
      await page.getByRole('option', { name: words.closed, exact: true }).click()
      await dialog.getByRole('combobox', { name: words.priority }).click()
      await page.getByRole('option', { name: words.high, exact: true }).click()
      await dialog.getByLabel(words.addTags).fill(`done ${look.locale}`)
      await page.keyboard.press('Enter')
      await assertWellMade(page, `saved-reply-${look.width}`)
      await dialog.getByRole('button', { name: words.save, exact: true }).click()
      await page.getByRole('button', { name }).waitFor()
      await assertWellMade(page, `saved-replies-${look.width}`)

      await openScreen(page, `${origin}/admin/tickets/${ticket.id}`)
      const picker = page.getByRole('combobox', { name: words.picker })
      await picker.waitFor()
      await page.getByLabel(words.answer).fill('Hello. ')
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('s')
      await page.keyboard.type(name)
      await page.getByRole('option', { name }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      const written = `Hello. Bye Ada, ${ticket.number} `
      const field = page.getByLabel(words.answer)
      await page.getByRole('region', { name: words.whenSent }).waitFor()
      assert.equal(await field.inputValue(), written, 'inserted at the cursor')
      await page.getByText(words.missing).waitFor()
      await page.getByRole('button', { name: words.not }).click()
      assert.equal(await page.getByRole('combobox', { name: words.status }).count(), 0)
      await page.reload()
      await page.getByRole('region', { name: words.whenSent }).waitFor()
      assert.equal(await page.getByLabel(words.answer).inputValue(), written, 'the draft stays')
      assert.equal(await page.getByRole('button', { name: words.not }).count(), 0)
      await assertWellMade(page, `ticket-saved-reply-${look.width}`)
      await page.locator('#main').getByRole('button', { name: words.send, exact: true }).click()
      await page.getByText(words.sent).waitFor()
      const { body: after } = await admin.get(`/v1/admin/tickets/${ticket.id}`)
      assert.deepEqual(
        [after.status, after.priority, after.tags],
        ['closed', 'normal', [`done ${look.locale}`]],
      )

      await openScreen(page, `${origin}/admin/saved-replies`)
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.archive }).click()
      const question = page.getByRole('dialog').filter({ hasText: '?' })
      await question.getByRole('button', { name: words.archive, exact: true }).click()
      await page.getByRole('button', { name }).waitFor({ state: 'detached' })
      await openScreen(page, `${origin}/admin/saved-replies?archived=true`)
      await page.getByRole('button', { name: `${words.restore}: ${name}` }).click()
      await page.getByRole('button', { name: `${words.restore}: ${name}` }).waitFor({
        state: 'detached',
      })
    })
  })

  test(`staff tag a ticket with a suggestion, and filter the list by the tag (${look.locale})`, {
    skip,
  }, async () => {
    const subject = `Tagged ${look.locale}`
    const tag = `refund ${look.locale}`
    const ticket = await ticketOf(subject)
    const other = await ticketOf('Other')
    await admin.patch(`/v1/admin/tickets/${other.id}`, { tags: [tag] })
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/tickets/${ticket.id}`)
      const field = page.getByRole('combobox', { name: words.tags, exact: true })
      await field.click()
      await page.keyboard.type('Refund')
      await page.getByRole('option', { name: tag }).click()
      await page.getByText(words.saved, { exact: true }).waitFor()
      // An open list of suggestions stands outside the landmarks.
      await page.keyboard.press('Escape')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
      assert.deepEqual((await admin.get(`/v1/admin/tickets/${ticket.id}`)).body.tags, [tag])
      await assertWellMade(page, `ticket-tags-${look.width}`)
      await openScreen(page, `${origin}/admin/tickets?view=open&tag=${encodeURIComponent(tag)}`)
      await page.getByRole('link', { name: subject }).waitFor()
      assert.equal(await page.getByRole('link', { name: `Goodbye ${look.locale}` }).count(), 0)
      await assertWellMade(page, `tickets-tag-${look.width}`)
    })
  })
}

test('staff who only read tickets see no saved replies and cannot change tags', {
  skip,
}, async () => {
  const ticket = await ticketOf('Read')
  await admin.patch(`/v1/admin/tickets/${ticket.id}`, { tags: ['seen'] })
  const reader = await person(app, { permissions: ['tickets:read'] })
  await givePassword(app, reader.userId)
  await asStaff(shop, { ...WIDE, email: reader.email }, async (page) => {
    await openScreen(page, `${origin}/admin/tickets/${ticket.id}`)
    const field = page.getByRole('combobox', { name: WORDS.en.tags, exact: true })
    assert.ok(await field.isDisabled())
    await page.getByText('seen', { exact: true }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: WORDS.en.picker }).count(), 0)
    await openScreen(page, `${origin}/admin/tickets`)
    assert.equal(await page.getByRole('link', { name: 'Saved replies' }).count(), 0)
  })
})
