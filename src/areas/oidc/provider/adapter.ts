import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import Provider, { errors } from 'oidc-provider'
import { isId } from '#lib/id.ts'
import { instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { isConstraintViolation } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { emit } from '#platform/events.ts'
import { tokenHash } from '#platform/secrets.ts'
import { findClient } from '../clients/queries.ts'
import { refreshTokenReused } from '../events.ts'
import { proveIn, write } from './current.ts'
import { longestEnd } from './lifetimes.ts'
import { metadataOf } from './metadata.ts'
import {
  type ArtifactKey,
  type ArtifactRow,
  deleteArtifact,
  deleteArtifactsOfGrant,
  deleteGrant,
  findArtifact,
  findGrant,
  findGrantOfArtifact,
  findSessionByUid,
  markConsumed,
  upsertArtifact,
  upsertGrant,
  upsertSignIn,
} from './queries.ts'

type Kind = ArtifactRow['kind']

const KINDS: Readonly<Record<string, Kind>> = {
  Session: 'Session',
  Interaction: 'Interaction',
  AuthorizationCode: 'AuthorizationCode',
  AccessToken: 'AccessToken',
  RefreshToken: 'RefreshToken',
}

type Tenant = Pick<Deps, 'database' | 'clock'> & { tenantId: string }

/**
 * Stores the library's objects in our tables. We decide whether an object has expired, by the
 * service's own clock; of values that give access only the hash is stored.
 */
export function adapterOf(tenant: Tenant): AdapterFactory {
  return (name) => {
    if (name === 'Client') return clientAdapter(tenant)
    if (name === 'Grant') return grantAdapter(tenant)
    const kind = KINDS[name]
    // The library names models also for features that are off; it never calls their adapter.
    return kind ? artifactAdapter(tenant, kind) : unused(name)
  }
}

/** Clients come from our administration, and are read again each time. */
function clientAdapter({ database, tenantId }: Tenant): Adapter {
  return {
    ...unused('Client'),
    async find(id) {
      const db = database.of(tenantId)
      const client = isId(id) ? await findClient(db, { tenantId, id }) : undefined
      return client && metadataOf(client)
    },
  }
}

function grantAdapter({ database, clock, tenantId }: Tenant): Adapter {
  const db = database.of(tenantId)
  return {
    ...unused('Grant'),
    async find(id) {
      const grant = await findGrant(db, { tenantId, id }, clock.now())
      return grant && { ...grant.payload, jti: id }
    },
    async upsert(id, { jti: _, ...payload }, seconds = 0) {
      const { accountId, clientId, scopes } = { scopes: scopesOf(payload), ...payload }
      if (!accountId || !clientId) throw new Error('A grant without a person or a client')
      const now = clock.now()
      const expiresAt = later(now, seconds * SECOND_MS)
      const key = { tenantId, id, userId: accountId, clientId }
      await write(db, (tx) =>
        upsertGrant(tx, { ...key, scopes, payload, createdAt: now, expiresAt }),
      )
    },
    async destroy(id) {
      await write(db, async (tx) => {
        const ended = await deleteGrant(tx, { tenantId, id })
        // If several used tokens are presented, one of them finds the grant: its person is notified once.
        if (!ended || !isReuse()) return
        await emit(tx, refreshTokenReused, { tenantId, ...ended })
        proveIn(ended.userId)
      })
    },
  }
}

/** Whether the library is handling a refresh token that was exchanged before. */
function isReuse(): boolean {
  const entities = Provider.ctx?.oidc.entities
  return entities?.RefreshToken?.consumed !== undefined && !entities.RotatedRefreshToken
}

function artifactAdapter({ database, clock, tenantId }: Tenant, kind: Kind): Adapter {
  const db = database.of(tenantId)
  const keyOf = (id: string): ArtifactKey => ({ tenantId, kind, hash: tokenHash(id) })
  return {
    ...unused(kind),
    async find(id) {
      const found = await findArtifact(db, keyOf(id), clock.now())
      return found && { ...found.payload, ...consumedOf(found), jti: id }
    },
    async findByUid(uid) {
      const found = await findSessionByUid(db, tenantId, uid, clock.now())
      return found && { ...found.payload }
    },
    async upsert(id, payload, seconds = 0) {
      const now = clock.now()
      const expiresAt = later(now, seconds * SECOND_MS)
      const artifact = { ...keyOf(id), ...columnsOf(kind, payload), payload: keptOf(payload) }
      try {
        await write(db, async (tx) => {
          await upsertArtifact(tx, { ...artifact, createdAt: now, expiresAt })
          const signIn = kind === 'Session' ? justSignedIn(payload) : null
          if (signIn) await upsertSignIn(tx, { tenantId, ...signIn, expiresAt: longestEnd(now) })
        })
      } catch (error) {
        if (!isConstraintViolation(error, 'artifacts_hang_on_grant')) throw error
        throw new errors.InvalidGrant('the grant was revoked')
      }
    },
    async consume(id) {
      const key = keyOf(id)
      const isFirst = await write(db, async (tx) => {
        if (await markConsumed(tx, key, clock.now())) return true
        // Two refreshes that arrive together both get tokens of the one grant; a code works only once.
        if (kind === 'RefreshToken') return true
        const grant = await findGrantOfArtifact(tx, key)
        if (grant?.grantId) await deleteGrant(tx, { tenantId, id: grant.grantId })
        return false
      })
      if (!isFirst) throw new errors.InvalidGrant('authorization code already consumed')
    },
    async destroy(id) {
      await write(db, (tx) => deleteArtifact(tx, keyOf(id)))
    },
    async revokeByGrantId(grantId) {
      await write(db, (tx) => deleteArtifactsOfGrant(tx, { tenantId, kind, grantId }))
    },
  }
}

/** An adapter that throws for every operation that is not overridden. */
function unused(name: string): Adapter {
  async function refuse(): Promise<never> {
    throw new Error(`The provider keeps no ${name} this way`)
  }
  return {
    find: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}

/** The payload without the values that give access: its own token, and the session's cookie. */
function keptOf({ jti: _, session, ...payload }: AdapterPayload): object {
  if (!session) return payload
  const { cookie: __, ...rest } = session
  return { ...payload, session: rest }
}

function columnsOf(kind: Kind, payload: AdapterPayload) {
  const { accountId, clientId, grantId, result, session, uid, sessionUid } = payload
  return {
    uid: kind === 'Session' ? (uid ?? null) : (sessionUid ?? null),
    grantId: kind === 'Session' || kind === 'Interaction' ? null : (grantId ?? null),
    userId: result?.login?.accountId ?? accountId ?? session?.accountId ?? null,
    clientId: clientId ?? null,
  }
}

/** The person's session that a sign-in has opened, while the library finishes that sign-in. */
function justSignedIn({ uid, accountId: userId }: AdapterPayload) {
  const login = Provider.ctx?.oidc.result?.login
  const userSessionId = login?.userSessionId
  if (typeof userSessionId !== 'string' || !uid || !userId) return null
  return userId === login?.accountId ? { uid, userId, userSessionId } : null
}

function consumedOf({ consumedAt }: Pick<ArtifactRow, 'consumedAt'>) {
  return consumedAt ? { consumed: Math.floor(millis(instant(consumedAt)) / SECOND_MS) } : {}
}

function scopesOf(payload: object): string[] {
  const { openid } = payload as { openid?: { scope?: string } }
  return openid?.scope?.split(' ') ?? []
}
