import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { DAY_MS, later } from '#lib/time.ts'
import { until } from '#test/app.ts'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { givePassword } from '#test/relying-party.ts'
import { assertSoundPage, signIn, whole } from '#test/screens.ts'
import type { Made } from '#test/shop.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const shop = await gameShop({ config: { port, publicUrl: origin } })
const { admin, app, nodeId } = shop
const { plan: small, product: smallProduct } = await shop.server({ name: 'Four gigabytes' })
const { plan: large } = await shop.server({ name: 'Eight gigabytes' })
const ada = await shop.customer()
const bob = await shop.customer()
await shop.buy(ada, small.id)
await shop.buy(ada, large.id)
await shop.buy(bob, large.id)
const servers: Made[] = await until('the servers run', async () => {
  const { data } = (await ada.get('/v1/services?status=active')).body
  return data.length === 2 ? data : null
})
const [smallServer, largeServer] = ['Four gigabytes', 'Eight gigabytes'].map((name) =>
  servers.find(({ product }) => product.name === name),
)
for (const { userId } of [ada, bob]) await givePassword(app, userId)

const url = '/v1/admin/incidents'
const titles = { en: 'Network failure', fr: 'Panne de réseau' }
const texts = { en: 'We look for the cause.\n\nMore later.', fr: 'Nous cherchons la cause.' }

async function published(body: object, more: object = {}): Promise<string> {
  const kind = { kind: 'incident', impact: 'major', titles }
  const { id } = (await admin.post(url, { ...kind, ...body })).body
  const answer = await admin.post(`${url}/${id}/publish`, { texts, notify: false, ...more })
  assert.equal(answer.status, 200, answer.text)
  return id
}

const said = (id: string, body: object) => admin.post(`${url}/${id}/updates`, body)
const ended = (id: string) => said(id, { texts, state: 'resolved' })

const LOOKS = [
  { language: 'en', colorScheme: 'light', width: 1440 },
  { language: 'fr', colorScheme: 'dark', width: 390 },
] as const

async function asCustomer(
  person: Person,
  { language, colorScheme, width }: (typeof LOOKS)[number],
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await inBrowser(async (browser) => {
    const look = { locale: language, colorScheme, viewport: { width, height: 844 } }
    const { page, faults } = await openPage(browser, look)
    await signIn(page, origin, person.email)
    await work(page)
    assert.deepEqual(faults, [], 'the console stays empty')
  })
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(origin + path)
  await whole(page)
}

async function assertSound(page: Page, picture: string): Promise<void> {
  const { DESK_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${picture}.png`, fullPage: true })
  await assertSoundPage(page, picture)
}

const WORDS = {
  en: {
    ...{ title: 'Incident: Network failure', text: 'We look for the cause.' },
    ...{ affected: 'Affected: Four gigabytes', planned: 'Planned maintenance: Network failure' },
    ...{ see: 'View the status page', server: 'Server', ask: 'Ask for help' },
  },
  fr: {
    ...{ title: 'Incident : Panne de réseau', text: 'Nous cherchons la cause.' },
    ...{ affected: 'Concerne : Four gigabytes', planned: 'Maintenance prévue : Panne de réseau' },
    ...{ see: 'Voir l’état des services', server: 'Serveur', ask: 'Demander de l’aide' },
  },
} as const

for (const look of LOOKS) {
  const words = WORDS[look.language]
  const name = `${look.language}, ${look.width}`

  test(`a customer with an affected server sees the incident where their servers are shown (${name})`, {
    skip,
  }, async () => {
    const id = await published({ productIds: [smallProduct.id] })
    await asCustomer(ada, look, async (page) => {
      const banner = page.locator('.notice', { hasText: words.title })
      for (const path of ['/home', '/servers', `/servers/${smallServer?.id}`]) {
        await open(page, path)
        await banner.getByText(words.text, { exact: true }).waitFor()
        assert.equal(await banner.count(), 1, path)
        assert.equal(await page.getByText('More later.').count(), 0, 'only its first paragraph')
        // On the page of the server, its name is the heading.
        const named = path.endsWith(smallServer?.id) ? 0 : 1
        assert.equal(await banner.getByText(words.affected).count(), named, path)
        await assertSound(page, `banner${path.slice(0, 9).replaceAll('/', '-')}-${look.width}`)
      }
      await banner.getByRole('link', { name: words.see }).click()
      await page.waitForURL(`${origin}/status/${id}`)
      await open(page, `/servers/${largeServer?.id}`)
      assert.equal(await banner.count(), 0, 'the other server is not affected')
    })
    await ended(id)
  })

  test(`the incident of the chosen server is shown before a ticket is sent (${name})`, {
    skip,
  }, async () => {
    const id = await published({ productIds: [smallProduct.id] })
    await asCustomer(ada, look, async (page) => {
      await open(page, `/tickets?service=${smallServer?.id}`)
      const banner = page.getByRole('dialog').locator('.notice', { hasText: words.title })
      await banner.getByText(words.text, { exact: true }).waitFor()
      await assertSound(page, `banner-ticket-${look.width}`)
      await page.getByRole('dialog').getByRole('combobox', { name: words.server }).click()
      await page.getByRole('option', { name: 'Eight gigabytes' }).click()
      await banner.waitFor({ state: 'detached' })
    })
    await ended(id)
  })

  test(`maintenance of the next days is shown with its times, later maintenance is not (${name})`, {
    skip,
  }, async () => {
    const now = app.deps.clock.now()
    const planned = (days: number) => ({
      ...{ kind: 'maintenance', impact: 'minor', nodeIds: [nodeId] },
      ...{ startsAt: later(now, days * DAY_MS), endsAt: later(now, (days + 1) * DAY_MS) },
    })
    const later20 = await published({ ...planned(20), titles: { en: 'Much later' } })
    const soon = await published(planned(2))
    await asCustomer(bob, look, async (page) => {
      await open(page, '/home')
      const banner = page.locator('.notice', { hasText: words.planned })
      await banner.getByText(/20\d\d/).waitFor()
      assert.equal(await page.getByText('Much later').count(), 0)
      await assertSound(page, `banner-maintenance-${look.width}`)
    })
    for (const id of [soon, later20]) await said(id, { texts, state: 'canceled' })
  })
}

test('a notification of an incident brings it to a screen that is open', { skip }, async () => {
  const [look] = LOOKS
  const words = WORDS.en
  await asCustomer(ada, look, async (page) => {
    await open(page, '/home')
    const banner = page.locator('.notice', { hasText: words.title })
    assert.equal(await banner.count(), 0)
    const id = await published({ productIds: [smallProduct.id] }, { notify: true })
    await banner.getByText(words.text, { exact: true }).waitFor()
    await said(id, { texts: { en: 'It works again.' }, state: 'resolved', notify: true })
    await banner.waitFor({ state: 'detached' })
  })
})

test('the incidents of other customers are not shown', { skip }, async () => {
  const id = await published({ productIds: [smallProduct.id] })
  await asCustomer(bob, LOOKS[0], async (page) => {
    for (const path of ['/home', '/servers']) {
      await open(page, path)
      assert.equal(await page.getByText('Network failure').count(), 0, path)
    }
  })
  await ended(id)
})
