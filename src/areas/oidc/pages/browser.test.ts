import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as openid from 'openid-client'
import type { BrowserContext } from 'playwright-core'
import { enrolPasskey } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import type { Authenticator } from '#test/authenticator.ts'
import { inBrowser, openPage, withoutBrowser as skip, startBrowser } from '#test/browser.ts'
import { type Person, person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import {
  authorization,
  Browser,
  member,
  PASSWORD,
  register,
  relyingParty,
} from '#test/relying-party.ts'
import { assertSoundPage } from '#test/screens.ts'

// CI has a browser; without one, all other tests run.

const EVIL = '<img src=x onerror=alert(1)>{{7*7}}'
const BRAND = `Games & Co ${EVIL}`
const port = await freePort()
const app = await testApp(null, { config: { port, publicUrl: `http://localhost:${port}` } })
await app.deps.database.execute('update tenants.tenants set brand = $1 where is_default', [
  { name: BRAND, primaryColor: '#aa3300', locale: 'fr', legalFooter: 'Games & Co SARL' },
])

// Passkeys are bound to a host name, which an address is not.
const origin = `http://localhost:${port}`
const back = `http://127.0.0.1:${port}/v1/health/live`
const admin = await person(app, { admin: true })
const client = await register(admin, { name: `<b>Forum</b>${EVIL}`, redirectUris: [back] })
const forum = await relyingParty(app, client)

/** Somebody with a passkey of a device made of software. */
async function keyHolder() {
  const ada = await member(app, { name: 'Ada' })
  return { ...ada, ...(await enrolPasskey(ada, origin)) }
}

/** What the script sends: the answer of a device to what the service asks. */
async function shownBy(device: Authenticator, mfaToken?: string): Promise<string> {
  const step = mfaToken === undefined ? {} : { mfaToken }
  const { body, status, text } = await app.post('/v1/auth/passkeys/options', step)
  assert.equal(status, 200, text)
  return JSON.stringify(device.get(body))
}

const tokenIn = (text: string) => /name="mfaToken" value="([^"]+)"/.exec(text)?.[1] ?? ''

async function atSignIn(email?: string) {
  const browser = new Browser(app)
  const { url, ...rest } = await authorization(forum, { redirect_uri: back })
  await browser.open(url)
  if (email) await browser.submit('/login', { email, password: PASSWORD })
  return { browser, ...rest }
}

test('a passkey alone signs in for an application', async () => {
  const { device } = await keyHolder()
  const { browser, verifier, state, nonce } = await atSignIn()
  await browser.submit('/passkey', { response: await shownBy(device) })
  await browser.submit('/consent')
  const tokens = await openid.authorizationCodeGrant(forum, new URL(browser.location), {
    ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
  })
  assert.ok(tokens.access_token)
})

test('after the password a passkey is the second factor, and who has no other still gets in', async () => {
  const { email, device } = await keyHolder()
  await app.deps.database.execute('delete from users.recovery_codes')
  const { browser } = await atSignIn(email)
  const page = browser.answer?.text ?? ''
  assert.match(page, /data-without-passkey/)
  assert.doesNotMatch(page, /name="code"/)
  await browser.submit('/passkey', { response: await shownBy(device, tokenIn(page)) })
  await browser.submit('/consent')
  assert.ok(browser.returned.get('code'), browser.location)
})

test('somebody else’s passkey is no second factor, and none is used twice', async () => {
  const [ada, eve] = [await keyHolder(), await keyHolder()]
  const { browser } = await atSignIn(ada.email)
  const token = tokenIn(browser.answer?.text ?? '')
  const refused = await browser.submit('/passkey', { response: await shownBy(eve.device, token) })
  assert.equal(refused.status, 401)
  assert.match(refused.text, /role="alert">.*<h2>(Cette|This)/)
  const used = await shownBy(ada.device)
  const first = await atSignIn()
  await first.browser.submit('/passkey', { response: used })
  assert.ok(first.browser.answer?.text.includes('/consent'))
  const second = await atSignIn()
  assert.equal((await second.browser.submit('/passkey', { response: used })).status, 401)
})

for (const response of ['', 'no json', '{"id":"x"}', '[]', 'null']) {
  test(`${response || 'nothing'} in place of what a passkey signed is a 400`, async () => {
    const { browser } = await atSignIn()
    assert.equal((await browser.submit('/passkey', { response })).status, 400)
  })
}

test('a suspended person is not let in by a passkey', async () => {
  const ada = await keyHolder()
  const { browser } = await atSignIn()
  const response = await shownBy(ada.device)
  assert.equal((await admin.post(`/v1/admin/users/${ada.userId}/suspend`)).status, 200)
  assert.equal((await browser.submit('/passkey', { response })).status, 401)
})

test('the script is ours, cached, and only on the pages that offer a passkey', async () => {
  const { browser: offering } = await atSignIn()
  const [, script = ''] = /<script src="([^"]+)"/.exec(offering.answer?.text ?? '') ?? []
  const { status, headers, text } = await app.get(script)
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/javascript/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(text, /navigator\.credentials\.get/)
  const { browser } = await atSignIn((await member(app)).email)
  assert.doesNotMatch(browser.answer?.text ?? '', /<script src/)
  const { browser: before } = await atSignIn()
  const policy = String(before.answer?.headers['content-security-policy'])
  assert.match(policy, /script-src 'self' 'sha256-[^']+'; style-src 'self' 'sha256-[^']+'; /)
  assert.doesNotMatch(policy, /unsafe|nonce/)
})

/** A browser with a device in it that has somebody's passkey, and what broke a policy. */
async function deviceFor(context: BrowserContext, ada: Person) {
  const page = await context.newPage()
  const broken: string[] = []
  page.on('console', (message) => broken.push(message.text()))
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await page.goto(`${origin}/v1/health/live`)
  const { body: options } = await ada.post('/v1/users/me/passkeys/options', {})
  const made = await page.evaluate<object>(`navigator.credentials
    .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)}) })
    .then((credential) => credential.toJSON())`)
  const added = await ada.post('/v1/users/me/passkeys', { name: 'Phone', response: made })
  assert.equal(added.status, 201, added.text)
  return { page, broken }
}

test('in a browser a passkey signs in, alone and after the password, and breaks no policy (hardening 30)', {
  skip,
}, async (t) => {
  const browser = await startBrowser()
  t.after(() => browser.close())
  const ada = await member(app, { name: 'Ada' })
  const context = await browser.newContext({ locale: 'fr-FR' })
  const { page, broken } = await deviceFor(context, ada)
  await app.deps.database.execute('delete from users.recovery_codes')
  for (const alone of [true, false]) {
    await context.clearCookies()
    const { url } = await authorization(forum, { redirect_uri: back })
    await page.goto(url)
    if (!alone) {
      await page.getByLabel('Adresse e-mail').fill(ada.email)
      await page.getByLabel('Mot de passe').fill(PASSWORD)
      await page.getByRole('button', { name: 'Connexion' }).click()
      await page.getByRole('heading', { name: 'Encore une étape' }).waitFor()
      assert.equal(await page.locator('[data-without-passkey]').isVisible(), false)
    }
    await page.getByRole('button', { name: "Utiliser une clé d'accès" }).click()
    await page.getByRole('button', { name: 'Autoriser' }).click()
    await page.waitForURL((it) => it.href.startsWith(back))
    assert.ok(new URL(page.url()).searchParams.get('code'))
  }
  assert.deepEqual(
    broken.filter((text) => /Content Security Policy|Refused/.test(text)),
    [],
  )
})

test('a browser without scripts goes through sign-in and consent, and breaks no policy (hardening 30)', {
  skip,
}, async (t) => {
  const browser = await startBrowser()
  t.after(() => browser.close())
  const ada = await member(app, { name: 'Ada' })
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'fr-FR' })
  const page = await context.newPage()
  const broken: string[] = []
  page.on('console', (message) => broken.push(message.text()))
  const { url } = await authorization(forum, { redirect_uri: back })

  await page.goto(url)
  assert.equal(await page.title(), `Connexion · ${BRAND}`)
  await page.getByLabel('Adresse e-mail').fill(ada.email)
  await page.getByLabel('Mot de passe').fill('not it at all')
  await page.getByRole('button', { name: 'Connexion' }).click()
  assert.match(await page.getByRole('alert').innerText(), /incorrect/)
  assert.equal(await page.getByLabel('Adresse e-mail').inputValue(), ada.email)
  const button = page.getByRole('button', { name: 'Connexion' })
  const color = await page.evaluate(
    "getComputedStyle(document.querySelector('button.button')).backgroundColor",
  )
  assert.equal(color, 'rgb(170, 51, 0)')

  await page.getByLabel('Mot de passe').fill(PASSWORD)
  await button.click()
  await page.getByRole('heading', { name: `<b>Forum</b>${EVIL}` }).waitFor()
  assert.match(await page.getByRole('list').innerText(), /voir votre adresse e-mail/)
  await page.getByRole('button', { name: 'Autoriser' }).click()
  await page.waitForURL((it) => it.href.startsWith(back))
  assert.ok(new URL(page.url()).searchParams.get('code'))

  await page.goto(`${origin}/v1/oidc/logout`)
  await page.getByRole('button', { name: 'Se déconnecter' }).click()
  await page.getByRole('heading', { name: 'Vous êtes déconnecté' }).waitFor()
  assert.deepEqual(
    broken.filter((text) => /Content Security Policy|Refused/.test(text)),
    [],
  )
})

/** Browsers say so of a wrong password, an expired sign-in, and the address to which the sign-in returns. */
const isRefused = (at: string) => /\/login$|\/interaction\/0123|\/v1\/health\/live/.test(at)

for (const look of [
  { locale: 'fr-FR', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { locale: 'en-GB', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
] as const) {
  test(
    `the pages have the look of the shop, and are accessible, in ${look.locale} and ${look.colorScheme}`,
    {
      skip,
    },
    () =>
      inBrowser(async (browser) => {
        const ada = await member(app, { name: 'Ada' })
        const { page, faults } = await openPage(browser, look, isRefused)
        const action = (ending: string) => page.locator(`form[action$="${ending}"] button`)
        await page.goto((await authorization(forum, { redirect_uri: back })).url)
        await assertSoundPage(page, 'sign-in')
        await page.locator('#email').fill(ada.email)
        await page.locator('#password').fill('not it at all')
        await action('/login').click()
        await page.getByRole('alert').first().waitFor()
        await assertSoundPage(page, 'a wrong password')
        await page.locator('#password').fill(PASSWORD)
        await action('/login').click()
        await action('/consent').waitFor()
        await assertSoundPage(page, 'consent')
        const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
        assert.equal(ground, look.colorScheme === 'dark' ? 'rgb(11, 12, 15)' : 'rgb(245, 246, 248)')
        await action('/consent').click()
        await page.waitForURL((it) => it.href.startsWith(back))
        await page.goto(`${origin}/v1/oidc/logout`)
        await assertSoundPage(page, 'sign-out')
        await page.goto(`${origin}/v1/oidc/interaction/0123456789abcdef`)
        await assertSoundPage(page, 'an expired sign-in')
        assert.deepEqual(faults, [], 'the console stays empty')
      }),
  )
}
