import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { HOUR_MS, later } from '#lib/time.ts'
import { until } from '#test/app.ts'
import {
  asStaff,
  assertWellMade,
  deskShop,
  type Look,
  NARROW,
  openScreen,
  settled,
  skip,
  WIDE,
} from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'
import type { Made } from '#test/shop.ts'

const shop = await deskShop()
const { origin, owner, admin, app, nodeId, productId } = shop
const { body: paris } = await admin.post('/v1/admin/locations', { name: 'Paris', country: 'FR' })
const url = '/v1/admin/incidents'
const titles = { en: 'Network failure', fr: 'Panne de réseau' }
const texts = { en: 'We look for the cause.', fr: 'Nous cherchons la cause.' }

async function drafted(body: object = {}): Promise<Made> {
  const incident = { kind: 'incident', impact: 'major', titles, nodeIds: [nodeId], ...body }
  const answer = await admin.post(url, incident)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function published(body: object = {}): Promise<Made> {
  const { id } = await drafted(body)
  const answer = await admin.post(`${url}/${id}/publish`, { texts, notify: false, urgent: true })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const found = async (id: string): Promise<Made> => (await admin.get(`${url}/${id}`)).body
const updatesOf = async (id: string): Promise<Made[]> =>
  (await admin.get(`${url}/${id}/updates`)).body.data

const WORDS = {
  en: {
    ...{ report: 'Report an incident', plan: 'Plan maintenance', create: 'Create the draft' },
    ...{ title: 'Title (English)', firstText: 'First update (English)', text: 'Text (English)' },
    ...{ panels: 'Panels', gameServers: 'The status page names as affected: Game servers' },
    ...{
      reach: (count: number) => `${count} customers own an affected service`,
      publish: 'Publish',
      resolved: 'Resolved',
    },
    ...{
      notified: (count: number) => `${count} customers notified`,
      status: 'Status',
      addUpdate: 'Publish the update',
    },
    ...{ notify: 'Notify the affected customers', published: 'The update is published' },
    ...{ begins: 'Begins', ends: 'Planned end', backwards: 'The end must be after the begin.' },
    ...{ urgent: /^Announce it although/, canceled: 'Canceled', edit: 'Edit', save: 'Save' },
    ...{ locations: 'Locations', paris: 'The status page names as affected: Paris' },
    ...{ remove: 'Delete the draft', changed: 'Someone else changed this meanwhile' },
    ...{ isPublic: 'Everyone can read it at once. It cannot be changed or withdrawn.' },
  },
  fr: {
    ...{ report: 'Signaler un incident', plan: 'Planifier une maintenance' },
    ...{ create: 'Créer le brouillon', title: 'Titre (English)', text: 'Texte (English)' },
    ...{ firstText: 'Premier point de situation (English)', panels: 'Panneaux' },
    ...{ gameServers: 'La page d’état nomme comme concernés : Serveurs de jeu' },
    ...{
      reach: (count: number) => `${count} clients possèdent un service concerné`,
      publish: 'Publier',
      resolved: 'Résolu',
    },
    ...{
      notified: (count: number) => `${count} clients avertis`,
      status: 'État',
      addUpdate: 'Publier le point de situation',
    },
    ...{ notify: 'Avertir les clients concernés', published: 'Le point de situation est publié' },
    ...{ begins: 'Début', ends: 'Fin prévue', backwards: 'La fin doit être après le début.' },
    ...{ urgent: /^L’annoncer bien/, canceled: 'Annulée', edit: 'Modifier', save: 'Enregistrer' },
    ...{ locations: 'Emplacements', paris: 'La page d’état nomme comme concernés : Paris' },
    ...{ remove: 'Supprimer le brouillon', changed: 'Quelqu’un d’autre' },
    ...{ isPublic: 'Tout le monde peut le lire aussitôt. Il ne peut être ni modifié ni retiré.' },
  },
} as const

const staff = (look: Look, refused: readonly number[] = []) => ({
  ...{ ...look, refused, email: owner.email },
})

/** Chooses an option of a list in a form. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await page.keyboard.press('Escape')
}

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]
  const named = `${look.locale}, ${look.width}`

  test(`staff report an incident, publish it to the customers that they see counted, and resolve it (${named})`, {
    skip,
  }, async () => {
    const title = `Switch failure ${look.locale}`
    const [{ name: panel }] = (await admin.get('/v1/admin/nodes')).body.data
    await asStaff(shop, staff(look), async (page) => {
      await openScreen(page, `${origin}/admin/incidents`)
      await page.getByRole('button', { name: words.report }).click()
      const dialog = page.getByRole('dialog', { name: words.report })
      await dialog.getByLabel(words.title).fill(title)
      await dialog.getByLabel(words.firstText).fill('We look for the cause.')
      await dialog.getByLabel(words.panels).click()
      await page.getByRole('option', { name: panel }).click()
      await dialog.getByText(words.gameServers).waitFor()
      await dialog.getByLabel(words.title).click()
      await assertWellMade(page, `incident-new-${look.width}`)
      await dialog.getByRole('button', { name: words.create }).click()
      await page.waitForURL(/\/admin\/incidents\/[0-9a-f-]{36}$/)
      const id = page.url().slice(-36)
      assert.equal((await found(id)).status, 'draft')

      // The first update was typed with the draft, and is there to be published.
      const text = page.getByLabel(words.text)
      await text.waitFor()
      assert.equal(await text.inputValue(), 'We look for the cause.')
      const { customers } = (await admin.get(`${url}/${id}/audience`)).body
      assert.ok(customers > 1)
      await page.getByText(words.reach(customers)).waitFor()
      await settled(page)
      await assertWellMade(page, `incident-draft-${look.width}`)
      await page.getByRole('button', { name: words.publish, exact: true }).click()
      const asked = page.getByRole('dialog')
      await asked.getByText(words.isPublic).waitFor()
      await asked.getByText(words.reach(customers)).waitFor()
      await asked.getByRole('button', { name: words.publish, exact: true }).click()
      await page.getByText(words.notified(customers), { exact: true }).waitFor()
      assert.equal((await found(id)).status, 'investigating')
      assert.equal((await app.get(`/v1/status/incidents/${id}`)).body.title, title)
      const isSent = async () => (await page.getByLabel(words.text).inputValue()) === ''
      await until('the field is empty again', isSent)

      await page.getByLabel(words.text).fill('It works again.')
      await choose(page, words.status, words.resolved)
      await assertWellMade(page, `incident-ongoing-${look.width}`)
      await page.getByRole('button', { name: words.addUpdate }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.addUpdate }).click()
      await page.getByText(words.published).waitFor()
      const [last] = await updatesOf(id)
      assert.deepEqual([last?.state, last?.notify], ['resolved', false], 'notices are a choice')
      assert.equal(await page.getByLabel(words.text).count(), 0, 'nothing can follow')
      await settled(page)
      await assertWellMade(page, `incident-over-${look.width}`)
      await openScreen(page, `${origin}/admin/incidents`)
      await page.getByRole('link', { name: title }).waitFor()
      await assertWellMade(page, `incidents-${look.width}`)
      await openScreen(page, `${origin}/admin/incidents?show=draft`)
      assert.equal(await page.getByRole('link', { name: title }).count(), 0)
    })
  })

  test(`staff plan maintenance in their time zone; it is urgent within a day, and can be canceled (${named})`, {
    skip,
  }, async () => {
    const title = `New switch ${look.locale}`
    const timeZone = 'America/New_York'
    await owner.patch('/v1/users/me', { timeZone })
    const start = new Date(Date.parse(later(app.deps.clock.now(), 3 * HOUR_MS)))
    start.setUTCSeconds(0, 0)
    const field = (date: Date) =>
      new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
        .format(date)
        .replace(' ', 'T')
    await asStaff(shop, staff(look), async (page) => {
      await openScreen(page, `${origin}/admin/incidents`)
      await page.getByRole('button', { name: words.plan }).click()
      const dialog = page.getByRole('dialog', { name: words.plan })
      await dialog.getByLabel(words.title).fill(title)
      await dialog.getByLabel(words.begins).fill(field(start))
      await dialog.getByLabel(words.ends).fill(field(start))
      await dialog.getByText(words.backwards).waitFor()
      assert.ok(await dialog.getByRole('button', { name: words.create }).isDisabled())
      await dialog.getByLabel(words.ends).fill(field(new Date(start.getTime() + 2 * HOUR_MS)))
      await dialog.getByText(/ UTC/).first().waitFor()
      await assertWellMade(page, `maintenance-new-${look.width}`)
      await dialog.getByRole('button', { name: words.create }).click()
      await page.waitForURL(/\/admin\/incidents\/[0-9a-f-]{36}$/)
      const id = page.url().slice(-36)
      const { startsAt, endsAt } = await found(id)
      assert.deepEqual(
        [startsAt, endsAt],
        [start.toISOString(), new Date(start.getTime() + 2 * HOUR_MS).toISOString()],
      )
      await page.getByLabel(words.text).fill('We replace a switch.')
      const publish = page.getByRole('button', { name: words.publish, exact: true })
      assert.ok(await publish.isDisabled(), 'it has to be urgent')
      await page.getByLabel(words.urgent).check()
      await publish.click()
      await page.getByRole('dialog').getByRole('button', { name: words.publish }).click()
      const isSent = async () => (await page.getByLabel(words.text).inputValue()) === ''
      await until('the field is empty again', isSent)
      assert.equal((await found(id)).status, 'scheduled')
      await page.getByLabel(words.text).fill('Another day.')
      await choose(page, words.status, words.canceled)
      await page.getByRole('button', { name: words.addUpdate }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.addUpdate }).click()
      await page.getByText(words.published).waitFor()
      assert.equal((await found(id)).status, 'canceled')
    })
    await owner.patch('/v1/users/me', { timeZone: null })
  })

  test(`staff change what an incident affects, and keep what others changed meanwhile (${named})`, {
    skip,
  }, async () => {
    const { id, startsAt: begun } = await published()
    await asStaff(shop, staff(look), async (page) => {
      await openScreen(page, `${origin}/admin/incidents/${id}`)
      await page.getByRole('button', { name: words.edit, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: words.edit })
      await dialog.getByLabel(words.locations).click()
      await page.getByRole('option', { name: 'Paris' }).click()
      await dialog.getByText(words.paris).waitFor()
      await dialog.getByLabel(words.title).fill('Switch failure')
      await admin.patch(`${url}/${id}`, { impact: 'critical' })
      await dialog.getByRole('button', { name: words.save }).click()
      await dialog.getByText(words.changed).first().waitFor()
      assert.equal(await dialog.getByLabel(words.title).inputValue(), 'Switch failure')
      await assertWellMade(page, `incident-changed-${look.width}`)
      await dialog.getByRole('button', { name: words.save }).click()
      await dialog.waitFor({ state: 'detached' })
      const { titles: saved, impact, locationIds, startsAt } = await found(id)
      assert.deepEqual([saved.en, impact, locationIds], ['Switch failure', 'critical', [paris.id]])
      assert.equal(startsAt, begun, 'with its seconds')
      await page.getByText(words.paris).waitFor()
    })
    await admin.post(`${url}/${id}/updates`, { texts, state: 'resolved' })
  })
}

test('an update that someone else makes impossible stays readable, and one that fails can be sent again', {
  skip,
}, async () => {
  const words = WORDS.en
  const { id } = await published()
  await asStaff(shop, staff(WIDE, [409, 500]), async (page) => {
    await openScreen(page, `${origin}/admin/incidents/${id}`)
    const text = page.getByLabel(words.text)
    const send = async () => {
      await page.getByRole('button', { name: words.addUpdate }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.addUpdate }).click()
    }
    await text.fill('The cause is a switch.')
    await page.route(`**${url}/${id}/updates`, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, body: '' })
        : route.continue(),
    )
    await send()
    await page.getByText('That did not work').waitFor()
    assert.equal(await text.inputValue(), 'The cause is a switch.')
    await page.reload()
    assert.equal(await text.inputValue(), 'The cause is a switch.', 'also after a reload')
    await page.unroute(`**${url}/${id}/updates`)
    await admin.post(`${url}/${id}/updates`, { texts, state: 'resolved' })
    await send()
    await page.getByText('It ended before this update was published').waitFor()
    await page.getByText('The cause is a switch.').waitFor()
    assert.equal((await updatesOf(id)).length, 2)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('It ended before').waitFor({ state: 'detached' })
  })
})

test('a draft that someone else publishes meanwhile keeps its text as the next update', {
  skip,
}, async () => {
  const words = WORDS.en
  const { id } = await drafted()
  await asStaff(shop, staff(WIDE, [409]), async (page) => {
    await openScreen(page, `${origin}/admin/incidents/${id}`)
    await page.getByLabel(words.text).fill('Mine')
    await admin.post(`${url}/${id}/publish`, { texts, notify: false })
    await page.getByRole('button', { name: words.publish, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.publish }).click()
    await page.getByText('It is published already.').waitFor()
    await page.getByRole('button', { name: words.addUpdate }).waitFor()
    assert.equal(await page.getByLabel(words.text).inputValue(), 'Mine')
    assert.equal((await updatesOf(id)).length, 1)
  })
  await admin.post(`${url}/${id}/updates`, { texts, state: 'resolved' })
})

test('a draft is deleted after a question', { skip }, async () => {
  const { id } = await drafted()
  await asStaff(shop, staff(WIDE), async (page) => {
    await openScreen(page, `${origin}/admin/incidents/${id}`)
    await page.getByRole('button', { name: WORDS.en.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: WORDS.en.remove }).click()
    await page.waitForURL(`${origin}/admin/incidents`)
    assert.equal((await admin.get(`${url}/${id}`)).status, 404)
  })
})

test('staff who only read see everything and no button that is refused', { skip }, async () => {
  const { id } = await published({ productIds: [productId] })
  const { id: draftId } = await drafted()
  const reader = await person(app, { permissions: ['incidents:read'] })
  await givePassword(app, reader.userId)
  await asStaff(shop, { ...WIDE, email: reader.email }, async (page) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Incidents' }).click()
    await page.locator(`a[href="/admin/incidents/${id}"]`).waitFor()
    const main = page.locator('main')
    for (const name of [WORDS.en.report, WORDS.en.plan]) {
      assert.equal(await main.getByRole('button', { name }).count(), 0, name)
    }
    for (const one of [id, draftId]) {
      await openScreen(page, `${origin}/admin/incidents/${one}`)
      await page.getByText('Customers affected now').waitFor()
      assert.equal(await main.getByRole('button').count(), 0)
      assert.equal(await main.locator('form').count(), 0)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByText('Incidents', { exact: true }).waitFor()
  })
  await admin.post(`${url}/${id}/updates`, { texts, state: 'resolved' })
})
