import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, inflateSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { until } from '#test/app.ts'
import {
  asStaff,
  deskShop,
  type Look,
  NARROW,
  openScreen,
  settled,
  skip,
  violationsOf,
  WIDE,
} from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin, app } = shop
const WORDS = {
  en: { phone: 'Phone', light: 'Light', dark: 'Dark', text: 'Text', wide: 'Wide' },
  fr: { phone: 'Téléphone', light: 'Clair', dark: 'Sombre', text: 'Texte', wide: 'Large' },
} as const

const WHITE = [255, 255, 255]
const NIGHT = [19, 20, 24]
/** The picture may go on in another part of the file. */
const END = { finishFlush: constants.Z_SYNC_FLUSH }

/** The colour of a screen's pixel inside an element, from the top left. No script runs in the frame of a mail. */
async function colourOf(page: Page, element: Locator): Promise<number[]> {
  const box = await element.boundingBox()
  assert.ok(box)
  const pixel = { x: box.x + 12, y: box.y + 16, width: 1, height: 1 }
  const png = await page.screenshot({ clip: pixel })
  const start = png.indexOf('IDAT')
  const size = png.readUInt32BE(start - 4)
  // The first pixel of a picture is stored as it is, whatever filter its row has.
  return [...inflateSync(png.subarray(start + 4, start + 4 + size), END).subarray(1, 4)]
}

async function reports(): Promise<number> {
  const { values } = await app.deps.metrics.policyViolations.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

async function picture(page: Page, name: string): Promise<void> {
  const { DESK_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

for (const look of [WIDE, NARROW] satisfies Look[]) {
  const { locale, width, colorScheme } = look
  const isWide = look === WIDE
  const words = WORDS[locale]

  test(`staff see a mail as its recipient does: HTML and text, wide and on a phone, light and dark (${locale})`, {
    skip,
  }, async () => {
    const { body } = await admin.get('/v1/admin/mails?limit=100')
    const paid = body.data.find(({ kind }: { kind: string }) => kind === 'invoice_paid')
    assert.ok(paid, JSON.stringify(body.data.map(({ kind }: { kind: string }) => kind)))
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/mails`)
      await page.getByRole('button', { name: paid.subject }).first().click()
      const dialog = page.getByRole('dialog')
      const frame = dialog.locator('iframe')
      assert.equal(await frame.getAttribute('sandbox'), '')
      const mail = dialog.frameLocator('iframe')
      await mail.getByRole('heading', { name: paid.subject }).waitFor()
      await settled(page)
      const card = mail.locator('.card')
      const isDark = colorScheme === 'dark'
      assert.deepEqual(await colourOf(page, card), isDark ? NIGHT : WHITE)
      const heading = await mail.getByRole('heading', { name: paid.subject }).boundingBox()
      const left = (heading?.x ?? 0) - ((await card.boundingBox())?.x ?? 0)
      assert.equal(
        left,
        isWide ? 33 : 19,
        'the space around the text, a style attribute of the mail',
      )
      assert.equal(await mail.locator('[href]').count(), 0, 'no link leaves the preview')
      await picture(page, `mail-html-${width}`)
      assert.deepEqual(await violationsOf(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)

      const other = isDark ? words.light : words.dark
      await dialog.getByText(other, { exact: true }).click()
      await mail.getByRole('heading', { name: paid.subject }).waitFor()
      await until('the other colours', async () => {
        const [red = 0] = await colourOf(page, card)
        return red === (isDark ? WHITE : NIGHT)[0]
      })
      const frameWidth = async () => (await frame.boundingBox())?.width ?? 0
      await dialog.getByText(words.wide, { exact: true }).click()
      await until('it is wide', async () => (await frameWidth()) >= 500)
      await dialog.getByText(words.phone, { exact: true }).click()
      await until('it is as wide as a phone', async () => (await frameWidth()) <= 375)
      await picture(page, `mail-phone-${width}`)

      await dialog.getByText(words.text, { exact: true }).click()
      await frame.waitFor({ state: 'detached' })
      const { text } = (await admin.get(`/v1/admin/mails/${paid.id}`)).body
      assert.equal(await dialog.locator('.mail-text').textContent(), text)
      assert.equal(await dialog.getByText(words.wide, { exact: true }).count(), 0)
      await picture(page, `mail-text-${width}`)
    })
    assert.equal(await reports(), 0, 'no violation of the policy is reported')
  })
}
