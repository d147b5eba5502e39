import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import type { Person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'
import { assertSoundPage, screenShop, signIn, whole } from '#test/screens.ts'

const shop = await screenShop()
const { origin, owner } = shop
const [service] = (await owner.get('/v1/services?status=active')).body.data
const [invoice] = (await owner.get('/v1/billing/invoices')).body.data
const server = `/servers/${service.id}`
const reads = `/v1/services/${service.id}`

const newcomer = await shop.customer()
const friend = await shop.customer()
const invited = { email: friend.email, permissions: ['power'] }
const { body: invitation } = await owner.post(`${reads}/invitations`, invited)
const accepted = await friend.post(`/v1/invitations/${invitation.token}/accept`)
assert.equal(accepted.status, 200, accepted.text)
for (const { userId } of [newcomer, friend]) await givePassword(shop.app, userId)
// Tests call the API with a key, which a new customer does not have.
const [key] = (await newcomer.get('/v1/api-keys')).body.data
assert.equal((await newcomer.delete(`/v1/api-keys/${key.id}`)).status, 200)
const [{ name: ownerName }] = (await friend.get(`${reads}/members`)).body.data

type Language = 'en' | 'fr'
const LOOKS = [
  { language: 'en', colorScheme: 'light', width: 1440 },
  { language: 'fr', colorScheme: 'dark', width: 390 },
] as const

/** Signs a person in for each look. The console may name only the reads that a test lets fail. */
function inEachLook(
  title: string,
  person: Person,
  work: (page: Page, language: Language) => Promise<void>,
): void {
  for (const { language, colorScheme, width } of LOOKS) {
    test(`${title}: ${language}, ${colorScheme}, ${width} pixels`, { skip }, () =>
      inBrowser(async (browser) => {
        const look = { locale: language, colorScheme, viewport: { width, height: 844 } }
        const isRead = (address: string) => address.includes('/v1/')
        const { page, faults } = await openPage(browser, look, isRead)
        await signIn(page, origin, person.email)
        await work(page, language)
        assert.deepEqual(faults, [])
      }),
    )
  }
}

/** The texts of the screens of a customer who has nothing yet. */
const EMPTY: Readonly<Record<string, Readonly<Record<Language, readonly string[]>>>> = {
  '/home': {
    en: ['No server yet', 'No payment is due soon.'],
    fr: ['Aucun serveur pour le moment', 'Aucun paiement à venir prochainement.'],
  },
  '/servers': { en: ['No server yet'], fr: ['Aucun serveur pour le moment'] },
  '/orders': { en: ['No orders yet'], fr: ['Aucune commande pour le moment'] },
  '/invoices': { en: ['No invoices yet'], fr: ['Aucune facture pour le moment'] },
  '/payment': {
    en: ['No saved payment method', 'Nothing was added or used yet.'],
    fr: ['Aucun moyen de paiement enregistré', 'Rien n’a encore été ajouté ni utilisé.'],
  },
  '/invite-friends': {
    en: ['Recommend us and earn credit'],
    fr: ['Recommandez-nous et gagnez du crédit'],
  },
  '/tickets': { en: ['No questions yet'], fr: ['Aucune question pour l’instant'] },
  '/notifications': {
    en: ['No notifications yet'],
    fr: ['Aucune notification pour le moment'],
  },
  '/account/security': {
    en: ['No passkey yet.'],
    fr: ['Aucune clé d’accès pour le moment.'],
  },
  '/account/access': { en: ['No API key yet.'], fr: ['Aucune clé d’API pour le moment.'] },
}

inEachLook(
  'a new customer is told what each screen will show',
  newcomer,
  async (page, language) => {
    for (const [path, texts] of Object.entries(EMPTY)) {
      await page.goto(origin + path)
      await whole(page)
      for (const text of texts[language]) {
        await page.locator('main').getByText(text, { exact: true }).waitFor()
      }
      await assertSoundPage(page, path)
    }
  },
)

/** The pages of a server that are not for a member without `settings`, and the reason that they give. */
const OWNER_ONLY = {
  en: `Only the owner (${ownerName}) can use this page.`,
  fr: `Seul le propriétaire (${ownerName}) peut utiliser cette page.`,
}
const OWNER_GIVES = {
  en: `The owner (${ownerName}) can give you the permission “Settings”.`,
  fr: `Le propriétaire (${ownerName}) peut vous donner l’autorisation «\u00a0Paramètres\u00a0».`,
}
const OF_OWNER = [
  ...([['activity', OWNER_ONLY] as const, ['people', OWNER_ONLY] as const] as const),
  ...([['plan', OWNER_ONLY] as const, ['startup', OWNER_GIVES] as const] as const),
]

inEachLook(
  'a member of a server reads which pages are the owner’s, and who gives permissions',
  friend,
  async (page, language) => {
    await page.goto(origin + server)
    await whole(page)
    const links = page.locator('main nav').getByRole('link')
    assert.equal(await links.count(), 1, 'only the overview is linked')
    await assertSoundPage(page, server)
    for (const [name, reasons] of OF_OWNER) {
      await page.goto(`${origin}${server}/${name}`)
      await page.locator('main').getByText(reasons[language], { exact: true }).waitFor()
      await assertSoundPage(page, name)
    }
  },
)

/** The read that each screen of a customer cannot do without. */
const READS: readonly (readonly [screen: string, read: string])[] = [
  ...([['/home', '/v1/services'] as const, ['/servers', '/v1/services'] as const] as const),
  ...([[server, reads] as const, [`${server}/activity`, `${reads}/activity`] as const] as const),
  [`${server}/startup`, `${reads}/startup`],
  [`${server}/people`, `${reads}/members`],
  ...([[`${server}/plan`, reads] as const, ['/orders', '/v1/billing/orders'] as const] as const),
  ['/invoices', '/v1/billing/invoices'],
  [`/invoices/${invoice.id}`, `/v1/billing/invoices/${invoice.id}`],
  ['/payment', '/v1/billing/payment-methods'],
  ['/invite-friends', '/v1/affiliation/terms'],
  ['/tickets', '/v1/tickets'],
  ['/notifications', '/v1/notifications'],
  ['/account', '/v1/users/me'],
  ['/account/security', '/v1/users/me/sessions'],
  ['/account/access', '/v1/api-keys'],
  ['/account/messages', '/v1/notifications/preferences'],
  ['/account/data', '/v1/users/me/timeline'],
]

const FAILED = { en: 'Could not load this', fr: 'Chargement impossible' }
/** The reason, when a proxy answers and not the service. */
const UNREACHABLE = {
  en: 'The server could not be reached. Nothing was changed.',
  fr: 'Le serveur est injoignable. Rien n’a été modifié.',
}
const AGAIN = { en: 'Try again', fr: 'Réessayer' }

inEachLook(
  'each screen says that it could not load, and loads with one press',
  owner,
  async (page, language) => {
    await withoutAnswers(page)
    for (const [path, read] of READS) {
      const isRead = (url: URL) => url.pathname === read
      await page.route(isRead, (route) => route.fulfill({ status: 500, body: '' }))
      await page.goto(origin + path)
      const failed = page.getByRole('heading', { name: FAILED[language] })
      await failed.first().waitFor()
      await page.getByText(UNREACHABLE[language]).first().waitFor()
      await assertSoundPage(page, `${path} without ${read}`)
      await page.unroute(isRead)
      await page.getByRole('button', { name: AGAIN[language] }).first().click()
      await failed.first().waitFor({ state: 'detached' })
      await whole(page)
      assert.equal(await failed.count(), 0, path)
    }
  },
)

/** Removes the answers that come with the pages, so that each screen requests all of its reads. */
async function withoutAnswers(page: Page): Promise<void> {
  await page.route(
    (url) => url.origin === origin && !url.pathname.startsWith('/v1/'),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const text = await response.text()
      const body = text.replace(
        /(<script[^>]* id="boot"[^>]*>)(.*?)(<\/script>)/s,
        (_, start: string, boot: string, end: string) =>
          start + JSON.stringify({ ...JSON.parse(boot), answers: {} }) + end,
      )
      return route.fulfill({ response, body })
    },
  )
}
