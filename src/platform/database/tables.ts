// Generated from the migrations by `npm run tables`; a test compares.
import type { ColumnType, Generated } from 'kysely'
import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { JsonText } from './index.ts'

/** A jsonb column: read as the value, written as its text. */
export type Json<T> = ColumnType<T, JsonText, JsonText>
/** A nullable jsonb column. */
export type NullableJson<T> = ColumnType<T | null, JsonText | null | undefined, JsonText | null>

export type Tables = {
  'ledger.accounts': {
    tenantId: string
    id: string
    code: string
    type: 'asset' | 'liability' | 'income' | 'expense' | 'equity'
    ownerId: string | null
    createdAt: Instant
  }
  'ledger.balances': {
    tenantId: string
    accountId: string
    currency: string
    balanceCents: Generated<Cents>
    mayBeInDebit: boolean
  }
  'ledger.postings': {
    tenantId: string
    id: string
    transactionId: string
    accountId: string
    currency: string
    amountCents: Cents
    balanceAfterCents: Cents
  }
  'ledger.transactions': {
    tenantId: string
    id: string
    kind: string
    eventId: string
    idempotencyKey: string
    description: string | null
    createdAt: Instant
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
