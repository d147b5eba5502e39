import assert from 'node:assert/strict'
import { generateSync } from 'otplib'
import { millis } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { randomToken } from '#platform/secrets.ts'
import type { TestApp } from './app.ts'
import { type Authenticator, authenticator } from './authenticator.ts'
import type { Answer, Client } from './client.ts'

export const PASSWORD = 'correct horse battery'

/** Somebody who signs in with a password, as people do: through the API. */
export type Account = {
  readonly email: string
  readonly userId: string
  readonly me: Client
  readonly accessToken: string
  readonly refreshToken: string
  login(password?: string): Promise<Answer>
}

let made = 0

/** Registers somebody with `PASSWORD`; their address is confirmed unless it says otherwise. */
export async function account(
  app: TestApp,
  { verified = true }: { verified?: boolean } = {},
): Promise<Account> {
  made += 1
  const email = `account${made}@example.org`
  const wanted = { email, password: PASSWORD, name: 'Ada Lovelace' }
  const { status, body, text } = await app.post('/v1/auth/register', wanted)
  assert.equal(status, 201, text)
  const { accessToken, refreshToken, user } = body
  if (verified) await confirmAddress(app, user.id)
  return {
    ...{ email, userId: user.id, accessToken, refreshToken },
    me: app.as(accessToken),
    login: (password = PASSWORD) => app.post('/v1/auth/login', { email, password }),
  }
}

/** Confirms the address of somebody, as the link in its mail does. */
export async function confirmAddress({ deps, tenantId }: TestApp, userId: string): Promise<void> {
  await transact(deps.database.of(tenantId), (tx) =>
    tx
      .updateTable('users.users')
      .set({ emailVerifiedAt: deps.clock.now() })
      .where('tenantId', '=', tenantId)
      .where('id', '=', userId)
      .execute(),
  )
}

/** An authenticator app: the code of now, or of so many seconds from now. */
export type AuthenticatorApp = { code(afterSeconds?: number): string }

/** Turns codes on for somebody who signed in a moment ago. */
export async function enrolTotp(app: TestApp, me: Client) {
  const started = await me.post('/v1/users/me/totp', {})
  assert.equal(started.status, 200, started.text)
  const { secret } = started.body
  const authenticatorApp: AuthenticatorApp = {
    code(afterSeconds = 0) {
      const epoch = Math.floor(millis(app.deps.clock.now()) / 1000) + afterSeconds
      return generateSync({ secret, epoch })
    },
  }
  const firstCode = authenticatorApp.code()
  const confirmed = await me.post('/v1/users/me/totp/confirm', { code: firstCode })
  assert.equal(confirmed.status, 200, confirmed.text)
  const recoveryCodes: string[] | null = confirmed.body.recoveryCodes
  return { firstCode, ...authenticatorApp, recoveryCodes: recoveryCodes ?? [] }
}

/** Adds a passkey to somebody who signed in a moment ago. */
export async function enrolPasskey(me: Client, origin: string) {
  const device = authenticator(origin)
  const options = await me.post('/v1/users/me/passkeys/options', {})
  assert.equal(options.status, 200, options.text)
  const response = device.create(options.body)
  const added = await me.post('/v1/users/me/passkeys', { name: 'Phone', response })
  assert.equal(added.status, 201, added.text)
  return { device, id: added.body.id as string, recoveryCodes: added.body.recoveryCodes }
}

/** Signs in with a passkey, and answers what the server says. */
export async function passkeySignIn(
  client: Client,
  device: Authenticator,
  { mfaToken, ...ceremony }: Parameters<Authenticator['get']>[1] & { mfaToken?: string } = {},
): Promise<Answer> {
  const step = mfaToken === undefined ? {} : { mfaToken }
  const options = await client.post('/v1/auth/passkeys/options', step)
  assert.equal(options.status, 200, options.text)
  const response = device.get(options.body, ceremony)
  return client.post('/v1/auth/passkeys/verify', { ...step, response })
}

/** A token that nobody was given. */
export const unknownToken = randomToken()
