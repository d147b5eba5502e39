import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, owner, admin, ada, active, app } = shop
const TICKETS = '/v1/admin/tickets'

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const exact = { exact: true } as const
const ticketOf = async (id: string) => (await admin.get(`${TICKETS}/${id}`)).body

/** A question of a customer of its own: one person may ask five times an hour. */
async function asked(subject: string): Promise<string> {
  const customer = await person(app)
  const { status, body, text } = await customer.post('/v1/tickets', {
    subject,
    body: 'Please help.',
  })
  assert.equal(status, 201, text)
  return body.id
}

const WORDS = {
  en: {
    ...{ hold: 'Put on hold', change: 'Change the hold', save: 'Save', unhold: 'Take off hold' },
    ...{ until: 'On hold until (Asia/Tokyo)', past: 'The end of the hold is in the past.' },
    ...{ isHeld: 'On hold', isOpen: 'Open', endless: 'Without an end' },
    ...{ at: '1 Mar 2035, 09:00', later: '2 Mar 2035, 10:30' },
    ...{ answer: /^Answer to the customer/, afterwards: 'Then the ticket is', next: 'on hold' },
    ...{ send: 'Send', sent: 'The answer was sent' },
    ...{ addParticipant: 'Add a participant', add: 'Add', person: 'Person', remove: 'Remove' },
    ...{ unconfirmed: 'address not confirmed', takesPart: 'takes part already' },
    ...{ added: 'The participant was added', address: 'E-mail address' },
    ...{ newTicket: 'New ticket', customer: 'Customer', department: 'Department' },
    ...{ sales: 'Sales', subject: /^Subject/, message: /^Message/, service: 'Service' },
    ...{ running: 'Eight gigabytes (Active)', openTicket: 'Open the ticket' },
    ...{ more: 'More actions', openFor: 'Open a ticket', priority: 'Priority', high: 'High' },
  },
  fr: {
    ...{ hold: 'Mettre en pause', change: 'Modifier la pause', save: 'Enregistrer' },
    ...{ unhold: 'Mettre fin à la pause', until: 'En pause jusqu’au (Asia/Tokyo)' },
    ...{ past: 'La fin de la pause est déjà passée.', isHeld: 'En pause' },
    ...{ isOpen: 'Ouvert', endless: 'Sans fin prévue' },
    ...{ at: '1 mars 2035, 09:00', later: '2 mars 2035, 10:30' },
    ...{ answer: /^Réponse au client/, afterwards: 'Ensuite, le ticket est', next: 'en pause' },
    ...{ send: 'Envoyer', sent: 'La réponse a été envoyée' },
    ...{ addParticipant: 'Ajouter un participant', add: 'Ajouter', person: 'Personne' },
    ...{ remove: 'Retirer', unconfirmed: 'adresse non confirmée', takesPart: 'participe déjà' },
    ...{ added: 'Le participant a été ajouté', address: 'Adresse e-mail' },
    ...{ newTicket: 'Nouveau ticket', customer: 'Client', department: 'Département' },
    ...{ sales: 'Ventes', subject: /^Objet/, message: /^Message/, service: 'Service' },
    ...{ running: 'Eight gigabytes (Actif)', openTicket: 'Ouvrir le ticket' },
    ...{ more: 'Autres actions', openFor: 'Ouvrir un ticket', priority: 'Priorité' },
    ...{ high: 'Haute' },
  },
} as const

await owner.patch('/v1/users/me', { timeZone: 'Asia/Tokyo' })
for (const names of [
  { en: 'Help', fr: 'Aide' },
  { en: 'Sales', fr: 'Ventes' },
]) {
  const { status, text } = await admin.post('/v1/admin/departments', { names })
  assert.equal(status, 201, text)
}

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`staff put a ticket on hold until a time in their time zone, change the end, and take it off hold (${look.locale}, ${look.width})`, {
    skip,
  }, async () => {
    const subject = `Waits for a part ${look.locale}`
    const id = await asked(subject)
    await asStaff(shop, { ...look, email: owner.email, refused: [422] }, async (page) => {
      await openScreen(page, `${origin}/admin/tickets/${id}`)
      const dialog = page.getByRole('dialog')
      const press = (name: string) => dialog.getByRole('button', { name, ...exact }).click()
      const status = page.locator('header').getByRole('status')
      await page.getByText('Please help.').waitFor()
      await page.keyboard.press('h')
      await dialog.getByLabel(words.until).fill('2020-03-01T09:00')
      await press(words.hold)
      await dialog.getByText(words.past).waitFor()
      assert.equal((await ticketOf(id)).status, 'open')
      await dialog.getByLabel(words.until).fill('2035-03-01T09:00')
      await assertWellMade(page, `ticket-hold-dialog-${look.width}`)
      await press(words.hold)
      await dialog.waitFor({ state: 'hidden' })
      await status.getByText(words.isHeld, exact).waitFor()
      const held = await ticketOf(id)
      assert.deepEqual([held.status, held.holdUntil], ['on_hold', '2035-03-01T00:00:00.000Z'])
      await assertWellMade(page, `ticket-held-${look.width}`)

      await openScreen(page, `${origin}/admin/tickets?view=on_hold`)
      const row = page.getByRole('row', { name: subject })
      await row.getByText(words.at).waitFor()
      await assertWellMade(page, `tickets-held-${look.width}`)
      await openScreen(page, `${origin}/admin/tickets`)
      assert.equal(await page.getByRole('link', { name: subject }).count(), 0)

      await openScreen(page, `${origin}/admin/tickets/${id}`)
      await page.getByRole('button', { name: words.change, ...exact }).click()
      assert.equal(await dialog.getByLabel(words.until).inputValue(), '2035-03-01T09:00')
      await dialog.getByLabel(words.until).fill('')
      await press(words.save)
      await dialog.waitFor({ state: 'hidden' })
      await page.getByText(words.endless, exact).waitFor()
      assert.equal((await ticketOf(id)).holdUntil, null)

      await page.getByRole('button', { name: words.unhold, ...exact }).click()
      await status.getByText(words.isOpen, exact).waitFor()
      const { status: now, changes } = await ticketOf(id)
      assert.equal(now, 'open')
      assert.deepEqual(
        changes.map(({ kind }: { kind: string }) => kind),
        ['held', 'held', 'reopened'],
      )

      await page.getByLabel(words.answer).fill('The part arrives tomorrow.')
      await choose(page, words.afterwards, words.next)
      await page.getByLabel(words.until).fill('2035-03-02T10:30')
      await assertWellMade(page, `ticket-answer-hold-${look.width}`)
      await page.getByRole('button', { name: words.send, ...exact }).click()
      await page.getByText(words.sent).waitFor()
      await page.locator('dd', { hasText: words.later }).waitFor()
      const answered = await ticketOf(id)
      assert.deepEqual(
        [answered.status, answered.holdUntil],
        ['on_hold', '2035-03-02T01:30:00.000Z'],
      )
      await page.getByRole('button', { name: words.hold, ...exact }).waitFor({ state: 'detached' })
    })
  })

  test(`staff add a person to a ticket by name, who reads it then, and remove the person (${look.locale}, ${look.width})`, {
    skip,
  }, async () => {
    const id = await asked(`For two ${look.locale}`)
    const family = look === WIDE ? 'Babbage' : 'Lovelock'
    const bob = await person(app, { name: `Bob ${family}` })
    await person(app, { name: `Eve ${family}`, verified: false })
    const statusFor = async () => (await bob.get(`/v1/tickets/${id}`)).status
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/tickets/${id}`)
      const dialog = page.getByRole('dialog')
      const field = dialog.getByRole('combobox', { name: words.person })
      const open = async (search: string) => {
        await page.getByRole('button', { name: words.addParticipant, ...exact }).click()
        await field.fill(search)
      }
      await open(family)
      const name = new RegExp(`^Eve ${family} .*${words.unconfirmed}`)
      const unconfirmed = page.getByRole('option', { name })
      assert.equal(await unconfirmed.getAttribute('data-combobox-disabled'), 'true')
      await page.getByRole('option', { name: bob.name }).click()
      assert.equal(await field.inputValue(), `${bob.name} (${bob.email})`)
      await assertWellMade(page, `participant-choice-${look.width}`)
      assert.equal(await statusFor(), 404)
      await dialog.getByRole('button', { name: words.add, ...exact }).click()
      await page.getByText(words.added).waitFor()
      await dialog.waitFor({ state: 'hidden' })
      await page.locator('li', { hasText: bob.email }).waitFor()
      assert.equal(await statusFor(), 200)
      await assertWellMade(page, `participants-${look.width}`)

      await open(bob.name)
      await page.getByRole('option', { name: `(${bob.email}): ${words.takesPart}` }).waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })

      await page.getByRole('button', { name: `${words.remove}: ${bob.name}` }).click()
      await assertWellMade(page, `participant-remove-${look.width}`)
      await dialog.getByRole('button', { name: words.remove, ...exact }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.locator('li', { hasText: bob.email }).waitFor({ state: 'detached' })
      assert.equal(await statusFor(), 404)
      const remove = new RegExp(`^${words.remove}:`)
      assert.equal(
        await page.getByRole('button', { name: remove }).count(),
        0,
        'the customer stays',
      )
    })
  })

  test(`staff who may not read people add a participant by the address (${look.locale}, ${look.width})`, {
    skip,
  }, async () => {
    const id = await asked(`By address ${look.locale}`)
    const bob = await person(app)
    const agent = await person(app, { permissions: ['tickets:read', 'tickets:write'] })
    await givePassword(app, agent.userId)
    await asStaff(shop, { ...look, email: agent.email }, async (page) => {
      await openScreen(page, `${origin}/admin/tickets/${id}`)
      const dialog = page.getByRole('dialog')
      const add = dialog.getByRole('button', { name: words.add, ...exact })
      await page.getByRole('button', { name: words.addParticipant, ...exact }).click()
      await dialog.getByLabel(words.address).fill('nobody@example.org')
      await add.click()
      await dialog.locator('.notice').waitFor()
      await assertWellMade(page, `participant-address-${look.width}`)
      await dialog.getByLabel(words.address).fill(bob.email)
      await add.click()
      await page.getByText(words.added).waitFor()
    })
    assert.equal((await bob.get(`/v1/tickets/${id}`)).status, 200)
  })

  test(`staff open a ticket for a customer from the list of tickets and from the page of the customer (${look.locale}, ${look.width})`, {
    skip,
  }, async () => {
    const newest = async () => (await admin.get(`${TICKETS}?view=answered&limit=1`)).body.data[0]
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const dialog = page.getByRole('dialog')
      const send = dialog.getByRole('button', { name: words.openTicket, ...exact })
      await openScreen(page, `${origin}/admin/tickets`)
      await page.getByRole('button', { name: words.newTicket, ...exact }).click()
      await dialog.getByRole('combobox', { name: words.customer }).fill(ada.email)
      await page.getByRole('option', { name: ada.email }).click()
      await choose(page, words.department, words.sales)
      await dialog.getByLabel(words.subject).fill(`Your node moves ${look.locale}`)
      assert.ok(await send.isDisabled())
      await dialog.getByLabel(words.message).fill('On Friday, at night.\nNothing to do.')
      await choose(page, words.service, words.running)
      await choose(page, words.priority, words.high)
      await assertWellMade(page, `ticket-new-${look.width}`)
      await send.click()
      await page
        .getByRole('heading', { name: `Your node moves ${look.locale}`, level: 1 })
        .waitFor()
      await page.getByText('On Friday, at night.').waitFor()
      await assertWellMade(page, `ticket-opened-${look.width}`)
      const ticket = await newest()
      assert.equal(new URL(page.url()).pathname, `/admin/tickets/${ticket.id}`)
      assert.deepEqual(
        [ticket.customer.id, ticket.service.id, ticket.department.name, ticket.priority],
        [ada.userId, active.id, 'Sales', 'high'],
      )
      assert.equal((await ada.get(`/v1/tickets/${ticket.id}`)).status, 200)

      await openScreen(page, `${origin}/admin/people/${ada.userId}`)
      await page.getByRole('button', { name: words.more }).click()
      await page.getByRole('menuitem', { name: words.openFor }).click()
      await dialog.getByLabel(words.subject).fill(`A question ${look.locale}`)
      await dialog.getByLabel(words.message).fill('Is the address right?')
      await assertWellMade(page, `ticket-new-person-${look.width}`)
      await send.click()
      await page.getByRole('heading', { name: `A question ${look.locale}`, level: 1 }).waitFor()
      const second = await newest()
      assert.deepEqual(
        [second.customer.id, second.service, second.department.name, second.priority],
        [ada.userId, null, 'Help', 'normal'],
      )
    })
  })
}

test('staff who may not read people open no tickets for customers', { skip }, async () => {
  const agent = await person(app, { permissions: ['tickets:read', 'tickets:write'] })
  await givePassword(app, agent.userId)
  await asStaff(shop, { ...WIDE, email: agent.email }, async (page) => {
    await openScreen(page, `${origin}/admin/tickets`)
    await page.getByRole('button', { name: 'Next ticket' }).waitFor()
    assert.equal(await page.getByRole('button', { name: WORDS.en.newTicket }).count(), 0)
  })
})
