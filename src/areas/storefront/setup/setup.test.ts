import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { setupLink } from '#rbac'
import { PASSWORD } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import { withoutBrowser as skip, startBrowser } from '#test/browser.ts'
import { freePort } from '#test/processes.ts'

// CI has a browser; without one, all other tests run.

/** A service without an administrator, at an address that its links lead to. */
async function freshShop(t: import('node:test').TestContext) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const app = await testApp(t, { config: { port, publicUrl: origin } })
  const link = (await setupLink(app.deps)) ?? ''
  return { app, origin, link, token: new URL(link).hash.slice(1) }
}

async function inBrowser(options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
  const browser = await startBrowser()
  try {
    await work(await (await browser.newContext(options)).newPage())
  } finally {
    await browser.close()
  }
}

async function fillIn(page: Page, labels: { name: string; password: string; submit: string }) {
  await page.getByLabel(labels.name, { exact: true }).fill('Ada Lovelace')
  await page.locator('input[name=email]').fill('ada@example.org')
  await page.getByLabel(labels.password, { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: labels.submit }).click()
}

test('the printed link creates the administrator, signs them in and leads to the administration', {
  skip,
}, async (t) => {
  const { app, origin, link, token } = await freshShop(t)
  await inBrowser({ locale: 'en' }, async (page) => {
    await page.goto(link)
    await page.getByRole('heading', { name: 'Create your administrator account' }).waitFor()
    assert.equal(page.url(), `${origin}/setup`)
    assert.ok(!(await page.content()).includes(token), 'the page does not show the token')
    await page.goBack()
    assert.ok(!page.url().includes(token), 'the history does not keep the token')
    await page.goto(`${origin}/setup`)
    const labels = { name: 'Name', password: 'Password', submit: 'Create the account' }
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.locator('input[name=email]').fill('ada@example.org')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: labels.submit }).click()
    await page.locator('input[name=password][aria-invalid=true]').waitFor()
    assert.equal(await page.locator('input[name=email]').inputValue(), 'ada@example.org')
    await fillIn(page, labels)
    await page.waitForURL(`${origin}/admin`)
    await page.goto(link)
    await page.getByRole('heading', { name: 'This shop already has an administrator' }).waitFor()
  })
  assert.equal(
    (await app.post('/v1/auth/login', { email: 'ada@example.org', password: PASSWORD })).status,
    200,
  )
})

test('without scripts, in French, the link is pasted into a form', {
  skip,
}, async (t) => {
  const { app, origin, link } = await freshShop(t)
  await inBrowser({ locale: 'fr', javaScriptEnabled: false }, async (page) => {
    await page.goto(link)
    await page.getByRole('heading', { name: 'Configurer cette boutique' }).waitFor()
    await page.getByLabel('Lien ou jeton').fill('http://elsewhere.example/setup#not-the-last-token')
    await page.getByRole('button', { name: 'Continuer' }).click()
    await page.getByText('Ce lien ne fonctionne plus').waitFor()
    await page.getByLabel('Lien ou jeton').fill(` ${link} `)
    await page.getByRole('button', { name: 'Continuer' }).click()
    assert.equal(page.url(), `${origin}/setup`)
    await fillIn(page, { name: 'Nom', password: 'Mot de passe', submit: 'Créer le compte' })
    await page.waitForURL(`${origin}/admin`)
  })
  const login = { email: 'ada@example.org', password: PASSWORD }
  const { body } = await app.post('/v1/auth/login', login)
  const me = await app.as(body.accessToken).get('/v1/users/me')
  assert.equal(me.body.locale, 'fr')
})

test('the token of an older link is removed from the URL, and a wrong token is refused', async (t) => {
  const { app, token } = await freshShop(t)
  const moved = await app.get(`/setup?token=${token}`)
  assert.deepEqual([moved.status, moved.headers.location], [303, '/setup'])
  const cookie = String(moved.headers['set-cookie']).split(';')[0] ?? ''
  const opened = await fetch(`${app.url}/setup`, { headers: { cookie, 'accept-language': 'en' } })
  assert.match(await opened.text(), /Create your administrator account/)
  const wrong = await fetch(`${app.url}/setup`, {
    headers: { cookie: `${cookie.split('=')[0]}=none` },
  })
  assert.equal(wrong.status, 401)
  assert.match(await wrong.text(), /This link no longer works/)
  const body = new URLSearchParams({ name: 'Eve', email: 'eve@example.org', password: PASSWORD })
  const foreign = await fetch(`${app.url}/setup`, {
    ...{ method: 'POST', body },
    headers: { cookie, origin: 'https://evil.example' },
  })
  assert.equal(foreign.status, 403)
  assert.equal((await app.get('/v1/setup')).body.needed, true)
})
