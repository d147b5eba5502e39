import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import {
  allow,
  authorization,
  Browser,
  member,
  REDIRECT,
  register,
  relyingParty,
  signInFor,
} from '#test/relying-party.ts'

const port = await freePort()
const app = await testApp(null, { config: { port, publicUrl: `http://127.0.0.1:${port}` } })
const client = await register(await person(app, { admin: true }))
const forum = await relyingParty(app, client)
const AT_ONCE = 6

function exchange(fields: Record<string, string>): Promise<Answer> {
  const { clientId: client_id, clientSecret } = client
  const body = { ...fields, client_id, client_secret: clientSecret ?? '' }
  return app.request('POST', '/v1/oidc/token', undefined, {
    raw: new URLSearchParams(body).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

async function openedBy(answers: readonly Answer[]): Promise<number> {
  const tokens = answers.flatMap(({ body }) => (body.access_token ? [body.access_token] : []))
  const seen = await Promise.all(tokens.map((it) => app.as(it).get('/v1/oidc/userinfo')))
  return seen.filter(({ status }) => status === 200).length
}

test('of a code that comes several times at once nobody keeps a token (hardening 19)', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { url, verifier } = await authorization(forum)
    const back = await allow(new Browser(app), url, (await member(app)).email)
    const fields = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    }
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => exchange(fields)))
    const statuses = answers.map(({ status }) => status)
    assert.ok(
      statuses.every((status) => status === 200 || status === 400),
      String(statuses),
    )
    assert.ok(statuses.filter((status) => status === 200).length <= 1, String(statuses))
    assert.equal(await openedBy(answers), 0)
  }
})

test('refreshes that arrive together are siblings: nobody is signed out (hardening 17)', async () => {
  const tokens = await signInFor(forum, new Browser(app), (await member(app)).email)
  const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
  const [one, other] = await Promise.all([exchange(fields), exchange(fields)])
  // Whether they really met is up to the machine; one that came later is a reuse, and ends both.
  const opened = await openedBy([one, other])
  const met = one.status === 200 && other.status === 200
  assert.equal(opened, met ? 2 : 0)
})
