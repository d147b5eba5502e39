import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { randomToken, type Secrets } from '#platform/secrets.ts'
import { listLiveApiKeys } from '../api-keys/queries.ts'
import { accountConnected, accountDisconnected } from '../events.ts'
import { lockUser } from '../queries.ts'
import { assertVerified } from '../rules.ts'
import { lockActive } from '../second-factors/actions.ts'
import { findLiveSession } from '../sessions/queries.ts'
import type { Account } from './discord.ts'
import {
  deleteConnection,
  insertConnection,
  insertStart,
  listConnections,
  type ProviderKey,
  useUpStart,
} from './queries.ts'
import { startEnd } from './rules.ts'
import type { Provider } from './schema.ts'

type Wanted = { provider: Provider; redirectUri: string; network: string }

/**
 * Begins to link an account. 403 until the address is confirmed, 409 if one of this provider is linked.
 * `state` can come back only once.
 */
export async function startConnection(
  tx: Tx,
  secrets: Secrets,
  { tenantId, userId, credentialId: sessionId }: Caller,
  { provider, redirectUri, network }: Wanted,
  now: Instant,
): Promise<{ state: string; verifier: string; expiresAt: Instant }> {
  assertVerified(await lockActive(tx, { tenantId, userId }))
  const connections = await listConnections(tx, { tenantId, userId })
  if (connections.some((it) => it.provider === provider)) {
    throw conflict('An account is linked already. Remove it first.', 'connection_exists')
  }
  const id = newId()
  const verifier = randomToken()
  const expiresAt = startEnd(now)
  await insertStart(tx, {
    ...{ tenantId, id, userId, sessionId, provider, network, redirectUri },
    sealedVerifier: secrets.seal(verifier, verifierOf(id)),
    createdAt: now,
    expiresAt,
  })
  return { state: secrets.seal(id, stateOf(tenantId)), verifier, expiresAt }
}

/** The link that was begun with a state, which is used up by this: null if the state is not valid. */
export async function useUpStarted(
  tx: Tx,
  secrets: Secrets,
  { tenantId, state, network }: { tenantId: string; state: string; network: string },
  now: Instant,
) {
  const id = openedState(secrets, tenantId, state)
  const start = id === null ? undefined : await useUpStart(tx, { tenantId, id })
  // Only the person who began may come back: others who were sent the link would give their own account away.
  if (!start || start.expiresAt <= now || start.network !== network) return null
  const { sessionId, userId, provider, redirectUri } = start
  if (!(await isLive(tx, { tenantId, sessionId }, now))) return null
  const verifier = secrets.open(start.sealedVerifier, verifierOf(start.id))
  return { tenantId, userId, sessionId, provider, redirectUri, verifier }
}

type Linked = ProviderKey & { sessionId: string; account: Account }

/** Links an account to a person. False if it is linked to a person already, or the session is over. */
export async function connect(
  tx: Tx,
  { tenantId, userId, provider, sessionId, account }: Linked,
  now: Instant,
): Promise<boolean> {
  const user = await lockUser(tx, { tenantId, userId })
  if (!user?.emailVerifiedAt) return false
  if (!(await isLive(tx, { tenantId, sessionId }, now))) return false
  const row = { tenantId, id: newId(), userId, provider, ...account, createdAt: now }
  if (!(await insertConnection(tx, row))) return false
  await emit(tx, accountConnected, { tenantId, userId, provider, name: account.name })
  return true
}

/** Removes a linked account. 404. */
export async function disconnect(tx: Tx, key: ProviderKey): Promise<{ id: string }> {
  const { tenantId, userId, provider } = key
  await lockActive(tx, key)
  const removed = await deleteConnection(tx, key)
  if (!removed) throw notFound('Connection')
  await emit(tx, accountDisconnected, { tenantId, userId, provider, name: removed.name })
  return { id: removed.id }
}

function openedState(secrets: Secrets, tenantId: string, state: string): string | null {
  try {
    return secrets.open(state, stateOf(tenantId))
  } catch {
    // Not our state, or another tenant's: the caller learns nothing more.
    return null
  }
}

function stateOf(tenantId: string): string {
  return `users.connection_starts state ${tenantId}`
}

function verifierOf(id: string): string {
  return `users.connection_starts ${id}`
}

/** Whether the session or API key that began the link is still valid, and not an administrator's who acts as them. */
async function isLive(
  tx: Tx,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  now: Instant,
): Promise<boolean> {
  const session = await findLiveSession(tx, { tenantId, sessionId }, now)
  if (session) return session.impersonatorId === null
  return (await listLiveApiKeys(tx, { tenantId, ids: [sessionId] }, now)).length > 0
}
