import assert from 'node:assert/strict'
import fs from 'node:fs'
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
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'
import { signIn, whole } from '#test/screens.ts'

const shop = await deskShop()
const { app, origin, owner } = shop

/** Shows the screens of a customer; the console reports nothing but the refused code. */
async function asCustomer(
  email: string,
  { locale, colorScheme, width }: Look,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await inBrowser(async (browser) => {
    const viewport = { width, height: 844 }
    const { page, faults } = await openPage(browser, { locale, viewport, colorScheme })
    await signIn(page, origin, email)
    await work(page)
    const others = faults.filter((it) => !it.includes('status of 404'))
    assert.deepEqual(others, [], 'the console stays empty')
  })
}

const WORDS = {
  en: {
    ...{ add: 'New vouchers', create: 'Create vouchers', name: 'Name', amount: /^Amount/ },
    ...{ count: /^Number of codes/, download: 'Download codes', confirm: 'Delete codes' },
    ...{ deleted: /^The codes have been deleted/, code: /^Code/, redeem: 'Redeem' },
    ...{ wrong: /^This code is not valid/, done: /was added to your credit/ },
    ...{ used: 'Redeemed', voidOne: /^Void: /, voidVerb: 'Void', isVoid: 'Void' },
    ...{ rest: 'Void the rest', restDone: /^The vouchers that had not been redeemed are void/ },
    history: 'Voucher redeemed',
  },
  fr: {
    ...{ add: 'Nouveaux bons', create: 'Créer les bons', name: 'Nom', amount: /^Montant/ },
    ...{ count: /^Nombre de codes/, download: 'Télécharger les codes' },
    ...{ confirm: 'Supprimer les codes', deleted: /^Les codes ont été supprimés/, code: /^Code/ },
    ...{ redeem: 'Utiliser le bon', wrong: /^Ce code n’est pas valable/ },
    ...{ done: /ajoutés à votre crédit/, used: 'Utilisé', voidOne: /^Annuler le bon: / },
    ...{ voidVerb: 'Annuler le bon', isVoid: 'Annulé', rest: 'Annuler les bons restants' },
    ...{ restDone: /^Les bons qui n’avaient pas été utilisés/, history: 'Bon utilisé' },
  },
} as const

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`staff create vouchers and download the codes, a customer redeems one, staff void the rest (${look.locale})`, {
    skip,
  }, async () => {
    const name = `Spring fair ${look.locale}`
    const codes: string[] = []
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/vouchers`)
      await page.getByRole('button', { name: words.add }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: words.name, exact: true }).fill(name)
      await dialog.getByLabel(words.amount).fill('25')
      await dialog.getByLabel(words.count).fill('3')
      await assertWellMade(page, `new-vouchers-${look.width}`)
      await dialog.getByRole('button', { name: words.create }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: words.download }).click(),
      ])
      const text = fs.readFileSync(await file.path(), 'utf8')
      codes.push(...text.split('\r\n').flatMap((line) => line.match(/^[0-9A-Z-]{19}/) ?? []))
      assert.equal(codes.length, 3)
      await page.getByRole('button', { name: words.confirm }).waitFor()
      await assertWellMade(page, `vouchers-downloaded-${look.width}`)
      await page.getByRole('button', { name: words.confirm }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.confirm }).click()
      await page.getByText(words.deleted).waitFor()
      assert.equal(await page.getByRole('button', { name: words.download }).count(), 0)
    })

    const ada = await person(app)
    await givePassword(app, ada.userId)
    await asCustomer(ada.email, look, async (page) => {
      await page.goto(`${origin}/payment`)
      await whole(page)
      const field = page.getByLabel(words.code)
      await field.fill('0000-0000-0000-0000')
      await page.getByRole('button', { name: words.redeem }).click()
      await page.getByText(words.wrong).waitFor()
      await assertWellMade(page, `voucher-wrong-${look.width}`)
      await field.fill(codes[0]?.toLowerCase() ?? '')
      await page.keyboard.press('Enter')
      await page.getByText(words.done).waitFor()
      await page.getByText(words.history).first().waitFor()
      assert.equal(await field.inputValue(), '')
      await assertWellMade(page, `voucher-redeemed-${look.width}`)
    })
    assert.equal((await ada.get('/v1/billing/credits')).body.balanceCents, 2500)

    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/vouchers`)
      await assertWellMade(page, `vouchers-${look.width}`)
      await page.getByRole('link', { name }).click()
      await page.locator('table').getByText(words.used, { exact: true }).first().waitFor()
      await page.getByRole('button', { name: words.voidOne }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: words.voidVerb }).click()
      await page.locator('table').getByText(words.isVoid, { exact: true }).first().waitFor()
      await assertWellMade(page, `voucher-void-${look.width}`)
      await page.getByRole('button', { name: words.rest }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.rest }).click()
      await page.getByText(words.restDone).waitFor()
      assert.equal(await page.getByRole('button', { name: words.voidOne }).count(), 0)
    })
  })
}
