import { generateKeyPair, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { sealedColumn } from '#platform/resealing.ts'
import { settingsOf } from '#tenants'
import { oidcSettings } from '../settings.ts'
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  type SigningKeyRow,
} from './queries.ts'
import { endedKeys, isRotationDue, publishedKeys, signingFrom } from './rules.ts'

/** RSA with 2048 bits: every client can verify it (RS256). */
const BITS = 2048

type Tenant = Pick<Deps, 'secrets'> & { db: Db; tenantId: string }

/** The column in which private keys are sealed. */
export const sealedSigningKeys = sealedColumn(
  'oidc.signing_keys',
  'sealedKey',
  ['tenantId', 'id'],
  ({ id }) => boundTo(id),
)

/** The keys a tenant publishes, the signing one first; creates the first one if there is none. */
export async function publishedKeysOf(tenant: Tenant, now: Instant): Promise<SigningKeyRow[]> {
  const { db, tenantId } = tenant
  const keys = await listSigningKeys(db, tenantId)
  if (keys.length > 0) return publishedKeys(keys, now)
  await addKey(tenant, undefined, now)
  return publishedKeys(await listSigningKeys(db, tenantId), now)
}

/** Creates the next key of a tenant when it is due, and removes those that are not needed any more. */
export async function rotateKeys(tenant: Tenant, now: Instant): Promise<void> {
  const { db, tenantId } = tenant
  const keys = await listSigningKeys(db, tenantId)
  const { keyRotationDays } = await settingsOf(db, tenantId, oidcSettings)
  if (isRotationDue(keys, keyRotationDays, now)) await addKey(tenant, keys[0], now)
  const generations = endedKeys(keys, now).map(({ generation }) => generation)
  if (generations.length === 0) return
  await transact(db, (tx) => deleteSigningKeys(tx, tenantId, generations))
}

/** A private key as the library takes it (RFC 7517). */
export function openKey({ secrets }: Pick<Deps, 'secrets'>, row: SigningKeyRow) {
  const jwk: JsonWebKey = JSON.parse(secrets.open(row.sealedKey, boundTo(row.id)))
  return { ...jwk, kid: row.id, use: 'sig', alg: 'RS256' }
}

async function addKey(
  { secrets, db, tenantId }: Tenant,
  newest: SigningKeyRow | undefined,
  now: Instant,
): Promise<void> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS })
  const id = newId()
  const row = {
    ...{ tenantId, id, generation: (newest?.generation ?? 0) + 1 },
    sealedKey: secrets.seal(JSON.stringify(privateKey.export({ format: 'jwk' })), boundTo(id)),
    createdAt: now,
    signsAt: signingFrom(newest, now),
  }
  await transact(db, (tx) => insertSigningKey(tx, row))
}

function boundTo(id: string): string {
  return `oidc.signing_keys ${id}`
}
