import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { until } from '#test/app.ts'
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
import { pngOf } from '#test/images.ts'
import { type Person, person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'
import { signIn } from '#test/screens.ts'
import { uploaded } from '#test/uploads.ts'

const shop = await deskShop()
const { origin, owner, admin, app } = shop
const UPLOADS = '/v1/tickets/attachments'

const WORDS = {
  en: {
    ...{ subject: /^Subject/, message: /^Message/, send: 'Send', again: 'Upload lag.png again' },
    ...{ attach: 'Attach files', list: 'Files of this message', stored: /Uploaded/ },
    ...{ open: /^Open lag.png/, download: /^Download latest.log/, fix: /^Download fix.txt/ },
    ...{
      answer: /^Answer to the customer/,
      remove: 'Remove setup.exe',
      sent: 'The answer was sent',
    },
    blocked: /recipient cannot download/,
  },
  fr: {
    ...{ subject: /^Objet/, message: /^Message/, send: 'Envoyer', stored: /Envoyé/ },
    ...{ attach: 'Joindre des fichiers', list: 'Fichiers de ce message' },
    ...{ again: 'Envoyer de nouveau lag.png', open: /^Ouvrir lag.png/ },
    ...{ download: /^Télécharger latest.log/, fix: /^Télécharger fix.txt/ },
    ...{ answer: /^Réponse au client/, remove: 'Retirer setup.exe' },
    ...{ sent: 'La réponse a été envoyée', blocked: /destinataire ne peut pas/ },
  },
} as const

/** Shows the screens of a customer; the console has to stay empty, but for an upload that breaks off. */
async function asCustomer(
  customer: Person,
  { locale, colorScheme, width }: Look,
  work: (page: Page) => Promise<void>,
) {
  await givePassword(app, customer.userId)
  await inBrowser(async (browser) => {
    const look = { locale, viewport: { width, height: 844 }, colorScheme }
    const { page, faults } = await openPage(browser, look, (url) => url.endsWith(UPLOADS))
    await signIn(page, origin, customer.email)
    await work(page)
    assert.deepEqual(faults, [], 'the console stays empty')
  })
}

/** Drops a file on the form, or pastes it into it, as people do from elsewhere. */
async function give(field: Locator, kind: 'drop' | 'paste', name: string, bytes: Buffer) {
  await field.focus()
  const given = JSON.stringify({ kind, name, base64: bytes.toString('base64') })
  await field.page().evaluate(
    `(({ kind, name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], name))
      const options = { bubbles: true, cancelable: true }
      document.activeElement.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      )
    })(${given})`,
  )
}

const png = pngOf({ width: 320, height: 200 })
/** Waits until a picture is drawn. The policy of a page forbids to wait in the page itself. */
async function drawn(page: Page, selector = 'img'): Promise<void> {
  await until('the picture is drawn', () =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.naturalWidth === 320`),
  )
}

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`a customer attaches a picture and a log, and staff see them and answer with a file (${look.locale})`, {
    skip,
  }, async () => {
    const ada = await person(app, { name: 'Ada Lovelace' })
    let ticketId = ''
    await asCustomer(ada, look, async (page) => {
      await page.goto(`${origin}/tickets?ask=true`)
      await page.getByLabel(words.subject).fill('It lags')
      await page.getByLabel(words.message).fill('See the picture.')
      await page.route(`**${UPLOADS}`, (route) => route.abort(), { times: 1 })
      await give(page.getByLabel(words.message), 'paste', 'lag.png', png)
      const send = page.getByRole('button', { name: words.send, exact: true })
      await page.getByRole('button', { name: words.again }).waitFor()
      assert.equal(
        await send.isDisabled(),
        true,
        'a file that is missing is not sent without a word',
      )
      assert.equal(await page.getByLabel(words.message).inputValue(), 'See the picture.')
      await assertWellMade(page, `ticket-file-failed-${look.width}`)
      await page.getByRole('button', { name: words.again }).click()
      await give(
        page.getByLabel(words.message),
        'drop',
        'latest.log',
        Buffer.from('[WARN] Can’t keep up!'),
      )
      await page
        .locator('input[type=file]')
        .setInputFiles([{ name: 'setup.exe', mimeType: 'image/png', buffer: Buffer.from('MZ') }])
      const files = page.getByRole('list', { name: words.list }).getByRole('listitem')
      await files.getByText(words.blocked).waitFor()
      await page.getByRole('button', { name: words.remove }).click()
      await files.filter({ hasText: words.stored }).nth(1).waitFor()
      assert.equal(await files.count(), 2)
      await assertWellMade(page, `ticket-files-${look.width}`)
      await send.click()
      await page.getByRole('heading', { name: 'It lags', level: 1 }).waitFor()
      ticketId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      await page.getByRole('button', { name: words.open }).locator('img').waitFor()
      await drawn(page, '.thumbnail img')
      await assertWellMade(page, `ticket-files-shown-${look.width}`)
    })
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/tickets/${ticketId}`)
      await drawn(page, '.thumbnail img')
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: words.download }).click()
      const log = await saved
      assert.equal(log.suggestedFilename(), 'latest.log')
      assert.equal(fs.readFileSync(await log.path(), 'utf8'), '[WARN] Can’t keep up!')
      const shown = page.waitForEvent('popup')
      await page.getByRole('button', { name: words.open }).click()
      const picture = await shown
      await drawn(picture)
      await page.getByLabel(words.answer).fill('Replace this file.')
      await page
        .locator('input[type=file]')
        .setInputFiles([
          { name: 'fix.txt', mimeType: 'text/html', buffer: Buffer.from('view-distance=6') },
        ])
      await page.getByText(words.stored).waitFor()
      await assertWellMade(page, `ticket-files-staff-${look.width}`)
      await page.getByRole('button', { name: words.send, exact: true }).click()
      await page.getByText(words.sent).waitFor()
      await page.getByRole('button', { name: words.fix }).waitFor()
    })
    await asCustomer(ada, look, async (page) => {
      await page.goto(`${origin}/tickets/${ticketId}`)
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: words.fix }).click()
      const fix = await saved
      assert.equal(fs.readFileSync(await fix.path(), 'utf8'), 'view-distance=6')
    })
  })
}

const SCRIPT = '<script>document.title = "ran"; fetch("/ran")</script>'
const HOSTILE = [
  ['page.html', `<!doctype html>${SCRIPT}`],
  ['picture.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('/ran')">${SCRIPT}</svg>`],
  ['page.xml', `<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`],
  ['paper.pdf', '%PDF-1.7 /OpenAction << /S /JavaScript /JS (app.alert(1)) >>'],
  ['"><img src=x onerror=fetch("/ran")>.png', Buffer.concat([png, Buffer.from(SCRIPT)])],
] as const

test('support A67, A73: Chromium runs nothing of hostile names and files', { skip }, async () => {
  const mallory = await person(app)
  const attachmentIds: string[] = []
  for (const [name, content] of HOSTILE) {
    attachmentIds.push(await uploaded(mallory, Buffer.from(content), name.replaceAll('"', '%22')))
  }
  const asked = { subject: 'Look', body: 'Please open these.', attachmentIds }
  const { body: ticket } = await mallory.post('/v1/tickets', asked)
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    const requested: string[] = []
    page.context().on('request', (request) => requested.push(request.url()))
    await openScreen(page, `${origin}/admin/tickets/${ticket.id}`)
    await drawn(page, '.thumbnail img')
    for (const id of attachmentIds) {
      const link = `/v1/admin/tickets/${ticket.id}/attachments/${id}/link`
      const { body } = await admin.get(link)
      const other = await page.context().newPage()
      const answer = other.waitForEvent('download').catch(() => null)
      const opened = await other.goto(`${body.url}?inline=1`).catch(() => null)
      if (opened) {
        assert.equal(opened.headers()['content-type'], 'image/png')
        await drawn(other)
      } else {
        assert.ok(await answer, 'it is a download')
      }
      assert.notEqual(await other.title(), 'ran')
      await other.close()
    }
    assert.deepEqual(
      requested.filter((url) => url.endsWith('/ran')),
      [],
    )
  })
})
