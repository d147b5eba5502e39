import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { areas } from '#app/areas.ts'
import { DAY_MS, later } from '#lib/time.ts'
import { clientOf, type PanelClient } from '#panel'
import { until } from '#test/app.ts'
import { inBrowser, openPage } from '#test/browser.ts'
import type { Answer } from '#test/client.ts'
import {
  asStaff,
  assertWellMade,
  type Look,
  NARROW,
  openScreen,
  settled,
  skip,
  WIDE,
} from '#test/desk.ts'
import { type GameShop, gameShop } from '#test/game-shop.ts'
import { faults } from '#test/imports.ts'
import { hearLinks } from '#test/links.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { smallDump } from '#test/small-whmcs.ts'

type Body = Answer['body']

/** The labels that the staff of each language reads. */
const WORDS = {
  en: {
    ...{ start: 'Start an import', choose: 'Choose a file', check: 'Upload and check' },
    ...{ real: 'Start the import', other: 'This is not the file of the dry run', done: 'Done' },
    ...{ match: 'All totals match', todo: 'Next steps for you', open: 'Open' },
    ...{ decisions: 'Decisions', servers: 'Servers', preview: 'First invoices' },
    ...{ subscribed: /Services paid by a subscription at a payment provider: 1\./ },
    ...{ cards: /Customers enter their cards and bank accounts again/ },
    ...{ missing: '4 decisions are missing.', begin: 'Start renewals' },
    ...{ price: 'Prices with and without tax', keep: /^Convert prices/ },
    ...{ tax: 'Tax rates', rates: /^Use the standard rate/ },
    ...{ gateways: 'Online payment', without: /^Start without online payment/ },
    ...{ subscriptions: 'Subscriptions of the old system', canceled: /^I have cancelled them/ },
    ...{ decided: 'Decided', compare: 'Compare now', repair: 'Repair 2', mend: 'Repair' },
    ...{ repaired: 'Repaired', linked: 'All services are linked to their servers.' },
    ...{ started: /^Renewals started on/, fixed: /^Renewals have started\./ },
    ...{ undo: 'Undo the import', after: 'After 7 days', converted: 'converted price' },
    ...{ another: 'Upload another file', remedy: /Upload a dump of the same installation/ },
    ...{ language: 'en' },
  },
  fr: {
    ...{ start: 'Commencer un import', choose: 'Choisir un fichier', check: 'Envoyer et vérifier' },
    ...{ real: 'Lancer l’import', other: 'Ce n’est pas le fichier de la simulation' },
    ...{ done: 'Terminé', match: 'Tous les totaux concordent', open: 'Ouvrir' },
    ...{ todo: 'Ce qu’il vous reste à faire', decisions: 'Décisions', servers: 'Serveurs' },
    ...{ preview: 'Premières factures', begin: 'Commencer les renouvellements' },
    ...{ subscribed: /Services réglés par un abonnement .* : 1\./ },
    ...{ cards: /Les clients saisissent à nouveau leurs cartes/ },
    ...{ missing: 'Il manque 4 décisions.', price: 'Prix hors taxes et toutes taxes comprises' },
    ...{ keep: /^Convertir les prix/, tax: 'Taux de TVA', rates: /^Appliquer le taux normal/ },
    ...{ gateways: 'Paiement en ligne', without: /^Commencer sans paiement en ligne/ },
    ...{ subscriptions: 'Abonnements de l’ancien système', canceled: /^Je les ai résiliés/ },
    ...{ decided: 'Prise', compare: 'Comparer maintenant', repair: 'Réparer 2', mend: 'Réparer' },
    ...{ repaired: 'Réparé', linked: 'Tous les services sont reliés à leurs serveurs.' },
    ...{ started: /^Les renouvellements ont commencé le/ },
    ...{ fixed: /^Les renouvellements ont commencé\./, undo: 'Retirer l’import' },
    ...{ after: 'Après 7 jours', converted: 'prix converti', another: 'Envoyer un autre fichier' },
    ...{ remedy: /Envoyez un export de la même installation/, language: 'fr' },
  },
} as const

const NEW_PASSWORD = 'a harbour of quiet words'

/** A shop without tax rates and gateways, whose panel has the servers of another system's customers. */
async function formerShop() {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const links = hearLinks()
  const shop = await gameShop({
    areas: [...areas, links.area],
    config: { port, publicUrl: origin },
  })
  const { admin, app, db, nodeId, tenantId, gatewayId } = shop
  const { plan } = await shop.server()
  await shop.buy(await shop.customer(), plan.id)
  const [bought] = await until('a server to copy', async () => {
    const { data } = (await admin.get('/v1/admin/services?status=active')).body
    return data.length > 0 && data
  })
  const client: PanelClient = await clientOf(app.deps, db, { tenantId, nodeId })
  const pattern = await client.getServer(bought.panel.serverId)
  for (const [name, number] of [
    ['ada', '7'],
    ['bob', '9'],
  ] as const) {
    const email = `${name}@example.com`
    const account = await client.createUser({
      ...{ email, externalId: number, username: name, firstName: name, lastName: '-' },
    })
    const { id } = await client.createServer({
      ...{ ...pattern, externalId: `10${number}`, userId: account.id, name: `Server of ${name}` },
      placement: { locationIds: [], dedicatedIp: false, portRange: [] },
      ...{ skipScripts: true, startOnCompletion: true },
    })
    await until('it is installed', async () => (await client.getServer(id)).status === 'installed')
  }
  const off = await admin.patch(`/v1/admin/gateways/${gatewayId}`, { enabled: false })
  assert.equal(off.status, 200, off.text)
  const owner = await person(app, { admin: true, email: 'owner@example.org', name: 'Nora Petit' })
  await givePassword(app, owner.userId)
  return { ...shop, origin, owner, links }
}

type FormerShop = Awaited<ReturnType<typeof formerShop>>

/** The other system: two products and two customers, one with credit and an overdue invoice, one with a subscription. */
function dumpOf({ app }: Pick<GameShop, 'app'>): Buffer {
  const day = (days: number) => later(app.deps.clock.now(), days * DAY_MS).slice(0, 10)
  return smallDump({
    tblconfiguration: [
      {},
      { setting: 'SystemURL', value: 'https://whmcs.example.com/' },
      { setting: 'TaxEnabled', value: 'on' },
      { setting: 'TaxType', value: 'Inclusive' },
    ],
    tblproducts: [{}, { id: 2, name: 'Larger server' }],
    tblpricing: [{}, { id: 2, relid: 2, monthly: '24.00' }],
    tblclients: [
      { id: 7, email: 'ada@example.com', firstname: 'Ada', credit: '5.00' },
      { id: 9, email: 'bob@example.com', firstname: 'Bob' },
      { id: 11, email: 'nobody', firstname: 'Nobody' },
    ],
    tblhosting: [
      { id: 107, userid: 7, domain: 'harbour', amount: '12.00', nextduedate: day(6) },
      {
        ...{ id: 109, userid: 9, packageid: 2, domain: 'quay', amount: '24.00' },
        ...{ nextduedate: day(20), subscriptionid: 'I-OLD' },
      },
    ],
    tblproductconfiggroups: [{}],
    tblproductconfiglinks: [{}],
    tblproductconfigoptions: [{}],
    tblproductconfigoptionssub: [{}],
    tblhostingconfigoptions: [{ relid: 107 }],
    tblinvoices: [
      { id: 1, userid: 7, date: day(-1), duedate: day(6), subtotal: '12.00', total: '12.00' },
      { id: 2, userid: 9, date: day(-40), duedate: day(-30), subtotal: '24.00', total: '24.00' },
    ],
    tblinvoiceitems: [
      { id: 1, invoiceid: 1, userid: 7, type: 'Hosting', relid: 107, amount: '12.00' },
      { id: 2, invoiceid: 2, userid: 9, amount: '24.00' },
    ],
    tblcredit: [{ clientid: 7, amount: '5.00' }],
    tblpaymethods: [{ id: 1, userid: 7, payment_type: 'RemoteCreditCard', gateway_name: 'stripe' }],
  })
}

/** How a person works a page: by mouse, or by keyboard alone. */
type Hand = (page: Page, target: Locator) => Promise<void>

const byMouse: Hand = (_, target) => target.click()

/** Moves the focus with Tab to a button, a link or a field, and presses Enter there. */
const byKeyboard: Hand = async (page, target) => {
  await target.waitFor()
  for (let presses = 0; presses < 200; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) {
      await page.keyboard.press('Enter')
      return
    }
    await page.keyboard.press('Tab')
  }
  assert.fail(`The keyboard does not reach ${target}`)
}

const RUNS: readonly (readonly [Look, Hand, string])[] = [
  [WIDE, byKeyboard, 'keyboard'],
  [NARROW, byMouse, 'mouse'],
]

for (const [look, press, hand] of RUNS) {
  const words = WORDS[look.locale]

  test(`an administrator imports a WHMCS, links its servers and starts its renewals, and a customer finds the server (${look.locale}, ${look.width}, ${hand})`, {
    skip,
  }, async () => {
    const shop = await formerShop()
    const { admin, app, origin, owner } = shop
    const content = dumpOf(shop)
    const at = (name: string) => `assistant-${name}-${look.width}`
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/sql', buffer })

    await asStaff({ origin }, { ...look, email: owner.email }, async (page) => {
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      /** Chooses a file in the open dialog, as the picker of the browser does. */
      async function choose(chosen: ReturnType<typeof file>): Promise<void> {
        const picker = page.waitForEvent('filechooser')
        await press(page, button(words.choose))
        await (await picker).setFiles(chosen)
      }
      const opened = () => page.waitForURL(/\/admin\/imports\/[0-9a-f-]{36}/)
      /** Waits until the import is done, which is shown by a word and its colour. */
      async function ended(): Promise<void> {
        await page.locator('h1 + .t-active').waitFor()
        const [own, meant] = (await page.evaluate(`['h1 + .t-active', 'html'].map((it, place) =>
          getComputedStyle(document.querySelector(it))
            .getPropertyValue(place ? '--active-text' : '--text'))`)) as [string, string]
        assert.equal(own, meant)
      }
      const id = () => /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? ''
      async function decide(title: string, choice: RegExp): Promise<void> {
        const select = page.getByRole('combobox', { name: title })
        if (press === byMouse) {
          await select.click()
          await page.getByRole('option', { name: choice }).click()
        } else {
          await byKeyboard(page, select)
          const option = page.getByRole('option', { name: choice })
          await option.waitFor()
          await until('the option is reached', async () => {
            await page.keyboard.press('ArrowDown')
            return (await option.getAttribute('data-combobox-selected')) === 'true'
          })
          await page.keyboard.press('Enter')
        }
        undecided -= 1
        await until('it is stored', async () => {
          const { data } = (await admin.get(`/v1/admin/imports/${id()}/decisions`)).body
          const missing = data.filter((it: Body) => it.needed && it.choice === null)
          return missing.length === undecided
        })
        await settled(page)
        if (press === byKeyboard) {
          assert.equal(await select.and(page.locator(':focus')).count(), 1, 'the focus stays')
        }
      }
      let undecided = 4

      await openScreen(page, `${origin}/admin/imports`)
      await assertWellMade(page, at('empty'))
      await press(page, button(words.start).first())
      await page.getByRole('dialog').waitFor()
      await choose(file('whmcs.sql', content))
      await assertWellMade(page, at('upload'))
      await press(page, button(words.check))
      await opened()
      await ended()
      await page.getByText(words.match).waitFor()
      await page.getByText(words.subscribed).waitFor()
      await page.getByText(words.cards).waitFor()
      await assertWellMade(page, at('dry-run'))
      const { data: people } = (await admin.get('/v1/admin/users?limit=100')).body
      assert.ok(
        people.every((it: Body) => it.email !== 'ada@example.com'),
        'nothing is written',
      )
      await page.reload()
      await page.getByText(words.match).waitFor()

      const dry = id()
      await press(page, button(words.real))
      await page.getByRole('dialog').waitFor()
      await choose(file('other.sql', Buffer.concat([content, Buffer.from('\n')])))
      await page.getByText(words.other).waitFor()
      await assertWellMade(page, at('other-file'))
      await choose(file('whmcs.sql', content))
      await page.getByText(words.other).waitFor({ state: 'detached' })
      await press(page, page.getByRole('dialog').getByRole('button', { name: words.real }))
      await page.waitForURL((url) => !url.pathname.endsWith(dry))
      await ended()
      await page.getByText(words.missing).waitFor()
      await assertWellMade(page, at('report'))

      await press(page, button(`${words.open}: ${words.decisions}`))
      await decide(words.price, words.keep)
      await page.reload()
      await page.getByText(words.decided, { exact: true }).waitFor()
      await decide(words.tax, words.rates)
      await decide(words.gateways, words.without)
      await decide(words.subscriptions, words.canceled)
      await assertWellMade(page, at('decisions'))

      await press(page, button(`${words.open}: ${words.preview}`))
      await page.getByText('ada@example.com').waitFor()
      await page.getByText(words.converted).first().waitFor()
      await assertWellMade(page, at('preview'))
      const imported = page.url()

      await press(page, page.getByRole('link', { name: `${words.open}: ${words.servers}` }))
      await page.waitForURL('**/admin/differences*')
      await press(page, button(words.compare).first())
      await button(words.repair).waitFor()
      await assertWellMade(page, at('servers'))
      await press(page, button(words.repair))
      await press(page, page.getByRole('dialog').getByRole('button', { name: words.mend }))
      await until('both are repaired', async () => {
        return (await page.getByText(words.repaired, { exact: true }).count()) === 2
      })
      await openScreen(page, imported)
      await page.getByText(words.linked).waitFor()

      await press(page, button(words.begin))
      const dialog = page.getByRole('dialog')
      await assertWellMade(page, at('begin'))
      await press(page, dialog.getByRole('button', { name: words.begin }))
      await page.getByText(words.started).waitFor()
      assert.equal(await button(words.begin).count(), 0)
      assert.equal(await button(words.undo).count(), 0)
      await assertWellMade(page, at('begun'))
      await openScreen(page, imported.replace(/\?.*/, '?view=decisions'))
      await page.getByText(words.fixed).waitFor()
      assert.ok(await page.getByRole('combobox', { name: words.price }).isDisabled())
      await openScreen(page, imported.replace(/\?.*/, '?view=reconciliation'))
      await page.getByText(words.after).waitFor()
      await assertWellMade(page, at('reconciliation'))

      // Another shop's dump, whose customers have the same numbers.
      await openScreen(page, `${origin}/admin/imports`)
      await press(page, button(words.start).first())
      await page.getByRole('dialog').waitFor()
      const sister = smallDump({
        tblclients: [7, 9].map((number) => ({
          ...{ id: number, email: `${number}@example.net`, firstname: 'Eve', lastname: 'Moss' },
        })),
      })
      await choose(file('sister.sql', sister))
      await press(page, button(words.check))
      await opened()
      await page.getByText(words.remedy).waitFor()
      await button(words.another).waitFor()
      await assertWellMade(page, at('rejected'))
    })
    assert.deepEqual(await faults(app), [])
    await findsTheServer(shop, look)
  })
}

/** A customer of the other system sets a new password by mail, signs in, and sees the running server. */
async function findsTheServer(shop: FormerShop, { locale, width }: Look): Promise<void> {
  const { app, origin, links } = shop
  await inBrowser(async (browser) => {
    const { page, faults: found } = await openPage(browser, {
      ...{ locale, viewport: { width, height: 844 } },
    })
    await page.goto(`${origin}/sign-in?lang=${locale}`)
    await page.locator('input[name=email]').fill('ada@example.com')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('form[action="/sign-in"] button:not([type=button])').click()
    const token = await links.newest(app, 'reset', 'ada@example.com')
    await page.goto(`${origin}/reset/${token}`)
    await page.locator('input[name=password]').fill(NEW_PASSWORD)
    await page.locator('form[action="/reset"] button:not([type=button])').click()
    await page.waitForURL(({ pathname }) => !pathname.startsWith('/reset/'))
    await page.waitForLoadState()
    await page.goto(`${origin}/sign-in?lang=${locale}`)
    await page.locator('input[name=email]').fill('ada@example.com')
    await page.locator('input[name=password]').fill(NEW_PASSWORD)
    await page.locator('form[action="/sign-in"] button:not([type=button])').click()
    await page.waitForURL('**/home*')
    await page.goto(`${origin}/servers`)
    await page
      .getByRole('link', { name: /harbour/ })
      .first()
      .click()
    await page.waitForURL(/\/servers\/[0-9a-f-]{36}/)
    await page.locator('.page-head .t-active, h1 ~ * .t-active').first().waitFor()
    const { DESK_PICTURES: folder } = process.env
    if (folder) await page.screenshot({ path: `${folder}/assistant-server-${width}.png` })
    assert.deepEqual(
      found.filter((it) => !/status of 40[13]/.test(it)),
      [],
    )
  })
}
