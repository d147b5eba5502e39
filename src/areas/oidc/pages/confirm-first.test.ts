import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { testApp } from '#test/app.ts'
import { hearLinks } from '#test/links.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import {
  authorization,
  Browser,
  member,
  PASSWORD,
  REDIRECT,
  register,
  relyingParty,
} from '#test/relying-party.ts'
import { keepSettings } from '#test/settings.ts'

const port = await freePort()
const links = hearLinks()
const config = { port, publicUrl: `http://127.0.0.1:${port}` }
const app = await testApp(null, { config, areas: [...areas, links.area] })
const admin = await person(app, { admin: true })
const forum = await relyingParty(app, await register(admin, { requireVerifiedEmail: false }))
await keepSettings(app, 'registration', { confirmBeforeSession: true })

async function atSignIn() {
  const browser = new Browser(app)
  await browser.open((await authorization(forum)).url)
  return browser
}

test('where addresses are confirmed first, nobody enters an application with an unconfirmed one, and the page sends the link', async () => {
  const { email } = await member(app, { verified: false })
  const browser = await atSignIn()
  const refused = await browser.submit('/login', { email, password: PASSWORD })
  assert.equal(refused.status, 401)
  const wrong = await (await atSignIn()).submit('/login', { email, password: 'wrong and long' })
  const alert = (text: string) =>
    /<div class="notice[^>]*role="alert">.*?<h2>.*?<\/h2>/.exec(text)?.[0]
  assert.match(alert(refused.text) ?? '', /is not confirmed yet/)
  assert.equal(alert(wrong.text), alert(refused.text))
  const sent = await browser.submit('/send-link', {})
  assert.match(sent.text, /a link is on its way/)
  const token = await links.newest(app, 'verify', email)
  const confirmed = await app.post('/v1/auth/email/verify', { token, password: PASSWORD })
  assert.equal(confirmed.status, 200, confirmed.text)
  await browser.submit('/login', { email, password: PASSWORD })
  await browser.submit('/consent', {})
  assert.ok(browser.location.startsWith(REDIRECT), browser.location)
})
