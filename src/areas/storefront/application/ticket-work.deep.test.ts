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

const shop = await deskShop()
const { origin, owner, admin, ada } = shop
const TICKETS = '/v1/admin/tickets'

async function assertWellMade(page: Page, picture: string) {
  await settled(page)
  const { DESK_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${picture}.png`, fullPage: true })
  assert.deepEqual(await violationsOf(page), [], picture)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const exact = { exact: true } as const
const ticketOf = async (id: string) => (await admin.get(`${TICKETS}/${id}`)).body

async function asked(subject: string): Promise<string> {
  const { status, body, text } = await ada.post('/v1/tickets', { subject, body: 'Please help.' })
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
  },
  fr: {
    ...{ hold: 'Mettre en pause', change: 'Modifier la pause', save: 'Enregistrer' },
    ...{ unhold: 'Mettre fin à la pause', until: 'En pause jusqu’au (Asia/Tokyo)' },
    ...{ past: 'La fin de la pause est déjà passée.', isHeld: 'En pause' },
    ...{ isOpen: 'Ouvert', endless: 'Sans fin prévue' },
    ...{ at: '1 mars 2035, 09:00', later: '2 mars 2035, 10:30' },
    ...{ answer: /^Réponse au client/, afterwards: 'Ensuite, le ticket est', next: 'en pause' },
    ...{ send: 'Envoyer', sent: 'La réponse a été envoyée' },
  },
} as const

await owner.patch('/v1/users/me', { timeZone: 'Asia/Tokyo' })

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
}
