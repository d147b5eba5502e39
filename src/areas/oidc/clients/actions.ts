import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { type ClientKey, deleteClient, insertClient, lockClient, updateClient } from './queries.ts'
import {
  assertConfidential,
  assertRedirectUris,
  assertSameType,
  clientView,
  newSecret,
  rotated,
} from './rules.ts'
import type { Client, ClientChange, NewClient } from './schema.ts'

const USUAL_SCOPES: Client['scopes'] = ['openid', 'profile', 'email']

/** Registers an application. A confidential one gets its secret, shown in clear this once. */
export async function createClient(
  tx: Tx,
  { tenantId }: { tenantId: string },
  { type = 'confidential', scopes = USUAL_SCOPES, ...wanted }: NewClient,
  now: Instant,
): Promise<Client> {
  assertRedirectUris(wanted)
  const secret = type === 'confidential' ? newSecret() : null
  const row = await insertClient(tx, {
    ...{ tenantId, id: newId(), type, scopes, name: wanted.name },
    redirectUris: wanted.redirectUris,
    postLogoutRedirectUris: wanted.postLogoutRedirectUris ?? [],
    secretOverlapSeconds: wanted.secretOverlapSeconds ?? 0,
    requireVerifiedEmail: wanted.requireVerifiedEmail ?? true,
    ...(secret?.kept ?? { secretHash: null, secretEnd: null }),
    createdAt: now,
  })
  return clientView(row, now, secret?.clear)
}

/** Changes a client. 404 for an unknown one, 400 for an invalid redirect URI, 422 for another type. */
export async function changeClient(
  tx: Tx,
  key: ClientKey,
  change: ClientChange,
  now: Instant,
): Promise<Client> {
  const client = await lockClient(tx, key)
  if (!client) throw notFound('OAuth client')
  assertSameType(client, change)
  assertRedirectUris(change)
  return clientView(await updateClient(tx, key, change), now)
}

/**
 * Gives a client a new secret, shown in clear this once. The old one ends after the client's own
 * overlap, at once by default. 404 for an unknown client, 422 for a public one.
 */
export async function rotateSecret(tx: Tx, key: ClientKey, now: Instant): Promise<Client> {
  const client = await lockClient(tx, key)
  if (!client) throw notFound('OAuth client')
  assertConfidential(client)
  const { clear, kept } = newSecret()
  return clientView(await updateClient(tx, key, rotated(client, kept, now)), now, clear)
}

/** Removes a client; its secrets stop working with it. 404 for an unknown one. */
export async function removeClient(tx: Tx, key: ClientKey) {
  if (!(await deleteClient(tx, key))) throw notFound('OAuth client')
  return { id: key.id, deleted: true }
}
