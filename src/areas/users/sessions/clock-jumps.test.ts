import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { testApp } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'

const app = await testApp(null)
const ME = '/v1/users/me'
const [MINUTE, HOUR] = [60, 3600]
let moved = 0

/** Other processes, or this one from now on, have another time of day. */
function jump(seconds: number): void {
  app.deps.clock.advance(seconds * 1000)
  moved += seconds
}

afterEach(() => jump(-moved))

let people = 0

async function signsIn() {
  people += 1
  const login = { email: `early${people}@example.org`, password: 'correct horse battery' }
  const { status, body, text } = await app.post('/v1/auth/register', { ...login, name: 'Ada' })
  assert.equal(status, 201, text)
  return body
}

for (const seconds of [-HOUR, -5 * MINUTE, 5 * MINUTE]) {
  test(`a session goes on where the clock is ${seconds} s ahead (hardening 49)`, async () => {
    const { accessToken, refreshToken } = await signsIn()
    jump(seconds)
    assert.equal((await app.as(accessToken).get(ME)).status, 200)
    const { status, body } = await app.post('/v1/auth/refresh', { refreshToken })
    assert.equal(status, 200)
    assert.equal((await app.as(body.accessToken).get(ME)).status, 200)
    jump(-seconds)
    // A token that was made an hour ago has ended; who has it asks for another.
    const again = await app.post('/v1/auth/refresh', { refreshToken: body.refreshToken })
    assert.equal(again.status, 200)
    assert.equal((await app.as(again.body.accessToken).get(ME)).status, 200)
  })
}

test('a jump of an hour ends an access token, and not its session (hardening 49)', async () => {
  const { accessToken, refreshToken } = await signsIn()
  jump(HOUR)
  assert.equal((await app.as(accessToken).get(ME)).status, 401)
  const { status, body } = await app.post('/v1/auth/refresh', { refreshToken })
  assert.equal(status, 200)
  assert.equal((await app.as(body.accessToken).get(ME)).status, 200)
})

test('the end of an API key is by the clock, and its start is not (hardening 49)', async () => {
  const ada = await person(app)
  const expiresAt = new Date(Date.parse(app.deps.clock.now()) + HOUR * 1000).toISOString()
  const [one, other] = [
    await apiKey(app, ada, { permission: 'read', expiresAt }),
    await apiKey(app, ada, { permission: 'read', expiresAt }),
  ]
  jump(-5 * MINUTE)
  assert.equal((await one.get(ME)).status, 200)
  jump(HOUR + 6 * MINUTE)
  assert.equal((await other.get(ME)).status, 401)
})
