// Generated from the migrations by `npm run tables`; a test compares.
import type { ColumnType, Generated } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { JsonText } from './index.ts'

/** A jsonb column: read as the value, written as its text. */
export type Json<T> = ColumnType<T, JsonText, JsonText>
/** A nullable jsonb column. */
export type NullableJson<T> = ColumnType<T | null, JsonText | null | undefined, JsonText | null>

export type Tables = {
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
}
