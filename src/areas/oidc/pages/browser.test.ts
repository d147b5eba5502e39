import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { authorization, member, PASSWORD, register, relyingParty } from '#test/relying-party.ts'

const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium'
// The gate brings a browser; whoever has none runs everything else.
const skip = fs.existsSync(PROGRAM) || process.env.CI ? false : `no browser at ${PROGRAM}`

const port = await freePort()
const app = await testApp(null, { config: { port, publicUrl: `http://127.0.0.1:${port}` } })
await app.deps.database.execute('update tenants.tenants set brand = $1 where is_default', [
  { name: 'Games & Co', primaryColor: '#aa3300', locale: 'fr', legalFooter: 'Games & Co SARL' },
])

test('a browser without scripts goes through sign-in and consent, and breaks no policy', {
  skip,
}, async (t) => {
  const browser = await chromium.launch({
    executablePath: PROGRAM,
    args: ['--no-sandbox'],
  })
  t.after(() => browser.close())
  const admin = await person(app, { admin: true })
  const back = `http://localhost:${port}/v1/health/live`
  const client = await register(admin, { name: '<b>Forum</b>', redirectUris: [back] })
  const forum = await relyingParty(app, client)
  const ada = await member(app, { name: 'Ada' })
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'fr-FR' })
  const page = await context.newPage()
  const broken: string[] = []
  page.on('console', (message) => broken.push(message.text()))
  const { url } = await authorization(forum, { redirect_uri: back })

  await page.goto(url)
  assert.equal(await page.title(), 'Connexion · Games & Co')
  await page.getByLabel('Adresse e-mail').fill(ada.email)
  await page.getByLabel('Mot de passe').fill('not it at all')
  await page.getByRole('button', { name: 'Connexion' }).click()
  assert.match(await page.getByRole('alert').innerText(), /incorrect/)
  assert.equal(await page.getByLabel('Adresse e-mail').inputValue(), ada.email)
  const button = page.getByRole('button', { name: 'Connexion' })
  const color = await page.evaluate(
    "getComputedStyle(document.querySelector('button.first')).backgroundColor",
  )
  assert.equal(color, 'rgb(170, 51, 0)')

  await page.getByLabel('Mot de passe').fill(PASSWORD)
  await button.click()
  await page.getByRole('heading', { name: '<b>Forum</b>' }).waitFor()
  assert.match(await page.getByRole('list').innerText(), /voir votre adresse e-mail/)
  await page.getByRole('button', { name: 'Autoriser' }).click()
  await page.waitForURL((it) => it.href.startsWith(back))
  assert.ok(new URL(page.url()).searchParams.get('code'))

  await page.goto(`http://127.0.0.1:${port}/v1/oidc/logout`)
  await page.getByRole('button', { name: 'Se déconnecter' }).click()
  await page.getByRole('heading', { name: 'Vous êtes déconnecté' }).waitFor()
  assert.deepEqual(
    broken.filter((text) => /Content Security Policy|Refused/.test(text)),
    [],
  )
})
