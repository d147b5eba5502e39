import { badRequest, type Detail, unprocessable } from '#lib/problem.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { randomToken, sameBytes, tokenHash } from '#platform/secrets.ts'
import type { Client, ClientChange } from './schema.ts'

export type ClientRow = Row<'oidc.clients'>

const SHOWN_CHARACTERS = 4
const MASK = '••••'
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A new secret of 256 bits, and the columns that the database stores for it. */
export function newSecret() {
  const clear = randomToken()
  return {
    clear,
    kept: { secretHash: tokenHash(clear), secretEnd: clear.slice(-SHOWN_CHARACTERS) },
  }
}

/**
 * A client's secrets after a rotation: the new one, and the one it replaces until the overlap
 * ends. One that was replaced earlier ends now: no more than two are ever valid.
 */
export function rotated(
  client: ClientRow,
  kept: ReturnType<typeof newSecret>['kept'],
  now: Instant,
) {
  const overlaps = client.secretOverlapSeconds > 0
  return {
    ...kept,
    previousSecretHash: overlaps ? client.secretHash : null,
    previousSecretEndsAt: overlaps ? later(now, client.secretOverlapSeconds * SECOND_MS) : null,
  }
}

type Secrets = Pick<ClientRow, 'secretHash' | 'previousSecretHash' | 'previousSecretEndsAt'>
const NONE = Buffer.alloc(32)

/** Whether a secret is the client's. Takes the same time for a client that does not exist. */
export function isSecretOf(client: Secrets | undefined, secret: string, now: Instant): boolean {
  const hash = tokenHash(secret)
  const current = sameBytes(client?.secretHash ?? NONE, hash)
  const previous = sameBytes(client?.previousSecretHash ?? NONE, hash)
  return current || (previous && isRunning(client?.previousSecretEndsAt ?? null, now))
}

function isRunning(endsAt: Instant | null, now: Instant): boolean {
  return endsAt !== null && endsAt > now
}

/** The client as it is shown. `clear` is its secret if it was just created. */
export function clientView(row: ClientRow, now: Instant, clear: string | null = null): Client {
  const { id, name, type, redirectUris, postLogoutRedirectUris } = row
  const { secretOverlapSeconds, requireVerifiedEmail } = row
  const masked = row.secretEnd === null ? null : MASK + row.secretEnd
  return {
    ...{ id, clientId: id, clientSecret: clear ?? masked, name, type },
    ...{ redirectUris, postLogoutRedirectUris, scopes: row.scopes as Client['scopes'] },
    ...{ secretOverlapSeconds, requireVerifiedEmail },
    previousSecretEndsAt: isRunning(row.previousSecretEndsAt, now)
      ? row.previousSecretEndsAt
      : null,
    createdAt: row.createdAt,
  }
}

/** Throws 422 for a public client: it has no secret that could be replaced. */
export function assertConfidential({ type }: ClientRow): void {
  if (type === 'public') throw unprocessable('A public client has no secret.', 'public_client')
}

/** Throws 422 if the type would change: existing applications were built for the present type. */
export function assertSameType({ type }: ClientRow, change: ClientChange): void {
  if (change.type !== undefined && change.type !== type) {
    throw unprocessable('The type of a client does not change.', 'client_type_fixed')
  }
}

type Addresses = Pick<ClientChange, 'redirectUris' | 'postLogoutRedirectUris'>

/** Throws 400 with every address that a browser must not be redirected to. */
export function assertRedirectUris({ redirectUris, postLogoutRedirectUris }: Addresses): void {
  const details = [
    ...detailsOf('redirectUris', redirectUris),
    ...detailsOf('postLogoutRedirectUris', postLogoutRedirectUris),
  ]
  const [first] = details
  if (first) throw badRequest(`${first.path} ${first.message}`, details)
}

function detailsOf(field: string, uris: readonly string[] = []): Detail[] {
  return uris.flatMap((uri, index) => {
    const message = faultOf(uri)
    return message ? [{ path: `${field}.${index}`, message }] : []
  })
}

/**
 * What is wrong with a redirect address (RFC 6749 3.1.2, RFC 9700 2.1, RFC 8252 8.3). Addresses
 * are compared character by character, so one that a browser would normalize is refused.
 */
function faultOf(uri: string): string | null {
  if (!URL.canParse(uri)) return 'is not an absolute address'
  const { href, protocol, hostname, username, password } = new URL(uri)
  if (uri.includes('#')) return 'must not have a fragment'
  if (uri.includes('*')) return 'must not have a wildcard'
  if (username || password) return 'must not name a user'
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname))) {
    return 'must be https, or http on the loopback address'
  }
  return href === uri || href === `${uri}/` ? null : `must be written as ${href}`
}
