// Generated from the migrations by `npm run tables`; a test compares.
import type { ColumnType, Generated } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { JsonText } from './index.ts'

/** A jsonb column: read as the value, written as its text. */
export type Json<T> = ColumnType<T, JsonText, JsonText>
/** A nullable jsonb column. */
export type NullableJson<T> = ColumnType<T | null, JsonText | null | undefined, JsonText | null>

export type Tables = {
  'audit.entries': {
    tenantId: string
    sequence: number
    id: string
    actorId: string | null
    actorKind: string | null
    via: string | null
    credentialId: string | null
    impersonatorId: string | null
    method: string
    route: string
    objectId: string | null
    requestId: string
    changed: boolean
    statusCode: number | null
    occurredAt: Instant
    personalHash: Buffer
    hash: Buffer
  }
  'audit.heads': {
    tenantId: string
    sequence: number
    hash: Buffer
  }
  'audit.pending': {
    tenantId: string
    id: string
    actorId: string | null
    actorKind: string | null
    via: string | null
    credentialId: string | null
    impersonatorId: string | null
    method: string
    route: string
    objectId: string | null
    requestId: string
    changed: boolean
    statusCode: number | null
    address: string | null
    occurredAt: Instant
  }
  'audit.personal': {
    tenantId: string
    id: string
    salt: Buffer | null
    address: string | null
    occurredAt: Instant
    reducedAt: Instant | null
  }
  'platform.clock': {
    id: Generated<boolean>
    offsetMs: number
  }
  'platform.idempotency_keys': {
    tenantId: string
    callerId: string
    key: string
    requestHash: Buffer
    createdAt: Instant
    lockedUntil: Instant
    effectAt: Instant | null
    statusCode: number | null
    headers: NullableJson<Record<string, string>>
    body: string | null
  }
  'platform.migrations': {
    name: string
    hash: string
    appliedAt: Generated<Instant>
  }
  'rbac.group_members': {
    tenantId: string
    groupId: string
    userId: string
  }
  'rbac.group_roles': {
    tenantId: string
    groupId: string
    roleId: string
  }
  'rbac.groups': {
    tenantId: string
    id: string
    name: string
    createdAt: Instant
  }
  'rbac.roles': {
    tenantId: string
    id: string
    name: string
    description: string | null
    permissions: string[]
    system: Generated<boolean>
    createdAt: Instant
  }
  'rbac.setups': {
    tenantId: string
    tokenHash: Buffer
    createdAt: Instant
  }
  'rbac.user_roles': {
    tenantId: string
    userId: string
    roleId: string
    createdAt: Instant
  }
  'tenants.domains': {
    host: string
    tenantId: string
  }
  'tenants.settings': {
    tenantId: string
    section: string
    values: Json<Record<string, unknown>>
    updatedAt: Instant
  }
  'tenants.tenants': {
    id: string
    name: string
    isDefault: Generated<boolean>
    brand: ColumnType<object, JsonText | undefined, JsonText>
    seller: ColumnType<object, JsonText | undefined, JsonText>
    createdAt: Instant
    closedAt: Instant | null
  }
  'users.api_keys': {
    tenantId: string
    id: string
    userId: string
    name: string | null
    permission: 'read' | 'read-write'
    prefix: string
    hash: Buffer
    allowedIps: Generated<string[]>
    createdAt: Instant
    expiresAt: Instant | null
    lastUsedAt: Instant | null
    revokedAt: Instant | null
  }
  'users.email_tokens': {
    tenantId: string
    id: string
    userId: string
    purpose: 'verify' | 'reset'
    email: string
    hash: Buffer
    createdAt: Instant
    expiresAt: Instant
    usedAt: Instant | null
  }
  'users.refresh_tokens': {
    tenantId: string
    id: string
    sessionId: string
    hash: Buffer
    createdAt: Instant
    rotatedAt: Instant | null
  }
  'users.sessions': {
    tenantId: string
    id: string
    userId: string
    address: string | null
    userAgent: string | null
    impersonatorId: string | null
    createdAt: Instant
    refreshedAt: Instant
    expiresAt: Instant
    revokedAt: Instant | null
  }
  'users.users': {
    tenantId: string
    id: string
    email: string
    pendingEmail: string | null
    emailVerifiedAt: Instant | null
    passwordHash: string | null
    name: string
    company: string | null
    vatNumber: string | null
    vatStatus: Generated<'none' | 'unchecked' | 'valid' | 'invalid' | 'unavailable'>
    country: string | null
    addressLine1: string | null
    addressLine2: string | null
    addressPostcode: string | null
    addressCity: string | null
    addressRegion: string | null
    addressCountry: string | null
    locale: Generated<'en' | 'fr'>
    mfaEnabledAt: Instant | null
    createdAt: Instant
    suspendedAt: Instant | null
    deletedAt: Instant | null
  }
}
