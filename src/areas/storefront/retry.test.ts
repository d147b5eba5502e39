import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import { formBrowser, hiddenField } from '#test/form-browser.ts'

const TRIES = 50
const app = await testApp(null, { config: { rateLimits: { general: 6, auth: 2, person: 1000 } } })
const browser = formBrowser(app)

/** Sends a form until a quota is used up, and the answer has this. */
async function refused(
  send: () => Promise<{ status: number; text: string }>,
  wanted = /./,
): Promise<string> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { status, text } = await send()
    if (status === 429 && wanted.test(text)) return text
  }
  return assert.fail('no quota was used up')
}

test('a form that is refused for too many attempts is shown again with what was typed', async () => {
  const text = await refused(() => browser.submit('/forgot', { email: 'typed@example.org' }))
  assert.match(text, /<form [^>]*action="\/forgot">/)
  assert.match(text, /name="email"[^>]*value="typed@example.org"/)
})

test('a form that is refused before it was read is shown again, hidden fields included, without the password', async () => {
  const fields = { name: 'Ada <b>', email: 'a@example.org', password: PASSWORD, country: 'FR' }
  const send = () => browser.submit('/register', { ...fields, next: '/cart' })
  // The page of the registration shows a list of countries.
  const text = await refused(send, /type="hidden" name="country"/)
  assert.match(text, /value="Ada &lt;b&gt;"/)
  assert.deepEqual([hiddenField(text, 'next'), hiddenField(text, 'country')], ['/cart', 'FR'])
  assert.match(text, /name="password" type="password"/)
  assert.ok(!text.includes(PASSWORD))
})

test('a form of another site is not shown again', async () => {
  const text = await refused(async () => {
    const answer = await fetch(`${app.url}/register`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example' },
      body: new URLSearchParams({ name: 'Mallory' }),
    })
    return { status: answer.status, text: await answer.text() }
  })
  assert.doesNotMatch(text, /Mallory/)
})
