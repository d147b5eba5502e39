import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, openPage } from '#test/browser.ts'
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
import { givePassword } from '#test/relying-party.ts'
import { signIn, whole } from '#test/screens.ts'

const shop = await deskShop()
const { origin, owner, admin, ada, active, app } = shop
await givePassword(app, ada.userId)

/** Shows the screens of the customer; the console has to stay empty. */
async function asCustomer(
  { locale, colorScheme, width }: Look,
  work: (page: Page) => Promise<void>,
) {
  await inBrowser(async (browser) => {
    const viewport = { width, height: 844 }
    const { page, faults } = await openPage(browser, { locale, viewport, colorScheme })
    await signIn(page, origin, ada.email)
    await work(page)
    assert.deepEqual(faults, [], 'the console stays empty')
  })
}

const WORDS = {
  en: {
    ...{ ask: 'Ask for help', subject: /^Subject/, message: /^Message/, send: 'Send' },
    ...{ close: 'Close', closed: 'Closed', reopen: 'Reopen', answer: /^Answer to the customer/ },
    ...{ note: 'Note', noteText: /^Note for staff/, addNote: 'Add the note' },
    noted: 'The note was added',
    ...{ newer: 'There is a newer message', anyway: 'Send anyway' },
  },
  fr: {
    ...{ ask: 'Demander de l’aide', subject: /^Objet/, message: /^Message/, send: 'Envoyer' },
    ...{ close: 'Fermer', closed: 'Fermé', reopen: 'Rouvrir', answer: /^Réponse au client/ },
    ...{ note: 'Note', noteText: /^Note pour l’équipe/, addNote: 'Ajouter la note' },
    noted: 'La note a été ajoutée',
    ...{ newer: 'Il y a un message plus récent', anyway: 'Envoyer quand même' },
  },
} as const

/** A key on its own means the same a moment after the page has loaded, where event times are small. */
const PRESS_R_EARLY = `{
  const event = new KeyboardEvent('keydown', { key: 'r', bubbles: true, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: 300 })
  document.body.dispatchEvent(event)
}`

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`a customer asks about a server, reads the answer and closes the ticket (${look.locale})`, {
    skip,
  }, async () => {
    const subject = `It lags ${look.locale}`
    await asCustomer(look, async (page) => {
      await page.goto(`${origin}/servers/${active.id}`)
      await whole(page)
      await page.getByRole('link', { name: words.ask }).click()
      await page.getByLabel(words.subject).fill(subject)
      await page.getByLabel(words.message).fill('Since this morning.\nWhat can I do?')
      await assertWellMade(page, `ticket-ask-${look.width}`)
      await page.getByRole('button', { name: words.send, exact: true }).click()
      await page.getByRole('heading', { name: subject, level: 1 }).waitFor()
      const [ticket] = (await ada.get('/v1/tickets')).body.data
      assert.deepEqual([ticket.subject, ticket.service.id], [subject, active.id])
      const answered = await admin.post(`/v1/admin/tickets/${ticket.id}/messages`, {
        ...{ kind: 'public', body: 'We moved it to another machine.', force: true },
      })
      assert.equal(answered.status, 201, answered.text)
      await page.reload()
      await page.getByText('We moved it to another machine.').waitFor()
      await page.getByLabel(words.message).fill('Thank you')
      await page.getByRole('button', { name: words.send, exact: true }).click()
      await page.getByRole('list').getByText('Thank you').waitFor()
      await assertWellMade(page, `ticket-customer-${look.width}`)
      await page.locator('#main').getByRole('button', { name: words.close, exact: true }).click()
      await page.getByRole('button', { name: words.reopen }).waitFor()
      await page.goto(`${origin}/tickets`)
      await page.getByRole('link', { name: subject }).waitFor()
      await assertWellMade(page, `tickets-customer-${look.width}`)
    })
  })

  test(`staff answer a ticket, and see that the customer has written meanwhile (${look.locale})`, {
    skip,
  }, async () => {
    const subject = `Staff ${look.locale}`
    const { body: ticket } = await ada.post('/v1/tickets', {
      ...{ subject, body: 'Please help.', serviceId: active.id, priority: 'high' },
    })
    await asStaff(shop, { ...look, email: owner.email, refused: [409] }, async (page) => {
      await openScreen(page, `${origin}/admin/tickets`)
      await page.getByRole('link', { name: subject }).waitFor()
      await assertWellMade(page, `tickets-staff-${look.width}`)
      await openScreen(page, `${origin}/admin/tickets/${ticket.id}`)
      await page.getByText('Please help.').waitFor()
      await page.keyboard.press('n')
      await page.getByLabel(words.noteText).fill('Runs a heavy mod pack')
      // The page reads the messages again before the note counts as sent: the next text is begun meanwhile.
      const messages = `/v1/admin/tickets/${ticket.id}/messages`
      const { promise: begun, resolve: release } = Promise.withResolvers<void>()
      await page.route(`**${messages}?*`, async (route) => {
        await begun
        await route.continue()
      })
      const asked = page.waitForRequest(`**${messages}?*`)
      await page.getByRole('button', { name: words.addNote }).click()
      await asked
      await page.getByLabel(words.noteText).fill('Begun meanwhile')
      release()
      await page.getByText(words.noted).waitFor()
      assert.equal(await page.getByLabel(words.noteText).inputValue(), 'Begun meanwhile')
      await page.unroute(`**${messages}?*`)
      await page.getByRole('list').getByText('Runs a heavy mod pack').waitFor()
      // What is new comes to an open page at once: here it comes late.
      const before = (await admin.get(`${messages}?limit=100`)).text
      let isLate = true
      page.on('response', (answer) => {
        if (answer.status() === 409) isLate = false
      })
      await page.route(`**${messages}?*`, (route) =>
        isLate
          ? route.fulfill({ contentType: 'application/json', body: before })
          : route.continue(),
      )
      await ada.post(`/v1/tickets/${ticket.id}/messages`, { body: 'It works again' })
      await page.getByRole('heading', { level: 1 }).click()
      await page.evaluate(PRESS_R_EARLY)
      await page.getByLabel(words.answer).fill('We look into it.')
      await page.keyboard.press('Control+Enter')
      await page.getByText(words.newer).waitFor()
      await page.getByText('It works again').waitFor()
      await assertWellMade(page, `ticket-changed-${look.width}`)
      await page.getByRole('button', { name: words.anyway }).click()
      await page.getByRole('list').getByText('We look into it.').waitFor()
      await assertWellMade(page, `ticket-staff-${look.width}`)
      await page.getByRole('heading', { level: 1 }).click()
      await page.keyboard.press('c')
      await page.getByRole('button', { name: words.reopen }).waitFor()
      const { body } = await admin.get(`/v1/admin/tickets/${ticket.id}`)
      assert.deepEqual([body.status, body.assignee.name], ['closed', owner.name])
      await openScreen(page, `${origin}/admin/departments`)
      await assertWellMade(page, `departments-${look.width}`)
    })
  })
}
