// Generated from the migrations by `npm run tables`; a test compares.
import type { ColumnType, Generated } from 'kysely'
import type { BasisPoints, Cents } from '#lib/money.ts'
import type { Day, Instant } from '#lib/time.ts'
import type { JsonText } from './index.ts'

/** A jsonb column: read as the value, written as its text. */
export type Json<T> = ColumnType<T, JsonText, JsonText>
/** A nullable jsonb column. */
export type NullableJson<T> = ColumnType<T | null, JsonText | null | undefined, JsonText | null>

export type Tables = {
  'notifications.mails': {
    tenantId: string
    id: string
    reference: string
    kind: string
    recipient: string
    subject: string
    body: string
    createdAt: Instant
    sentAt: Instant | null
    failure: string | null
  }
  'notifications.notifications': {
    tenantId: string
    id: string
    userId: string
    kind: string
    title: string
    body: string
    link: string | null
    data: Json<Record<string, unknown>>
    createdAt: Instant
    readAt: Instant | null
  }
  'oidc.clients': {
    tenantId: string
    id: string
    name: string
    type: 'confidential' | 'public'
    redirectUris: string[]
    postLogoutRedirectUris: string[]
    scopes: string[]
    secretOverlapSeconds: number
    secretHash: Buffer | null
    secretEnd: string | null
    previousSecretHash: Buffer | null
    previousSecretEndsAt: Instant | null
    createdAt: Instant
  }
  'panel.eggs': {
    tenantId: string
    id: string
    source: 'panel' | 'file'
    nodeId: string | null
    remoteId: number | null
    uuid: string | null
    name: string
    author: string | null
    description: string
    tags: Json<string[]>
    features: Json<string[]>
    dockerImages: Json<{ label: string; image: string }[]>
    startupCommands: Json<{ label: string; command: string }[]>
    stop: string
    doneMarkers: Json<string[]>
    variables: Json<
      {
        env: string
        name: string
        description: string
        default: string
        rules: string[]
        viewable: boolean
        editable: boolean
        sort: number
      }[]
    >
    updateUrl: string | null
    contentHash: string
    createdAt: Instant
    updatedAt: Instant
    archivedAt: Instant | null
  }
  'panel.nodes': {
    tenantId: string
    id: string
    name: string
    url: string
    type: 'auto' | 'pterodactyl' | 'pelican'
    detectedType: 'pterodactyl' | 'pelican' | null
    sealedApiKey: string | null
    maskedApiKey: string | null
    sealedClientApiKey: string | null
    maskedClientApiKey: string | null
    version: Generated<number>
    status: Generated<'unknown' | 'ok' | 'unreachable' | 'unauthorized'>
    testedAt: Instant | null
    syncId: string | null
    syncUntil: Instant | null
    createdAt: Instant
    deletedAt: Instant | null
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
  'store.buyers': {
    tenantId: string
    userId: string
    firstPaidAt: Instant
  }
  'store.cart_coupons': {
    tenantId: string
    userId: string
    couponId: string
    createdAt: Instant
  }
  'store.cart_items': {
    tenantId: string
    userId: string
    id: string
    planId: string
    quantity: number
    name: string | null
    options: ColumnType<Record<string, string | number | boolean>, JsonText | undefined, JsonText>
    environment: ColumnType<Record<string, string>, JsonText | undefined, JsonText>
    createdAt: Instant
  }
  'store.carts': {
    tenantId: string
    userId: string
    currency: string
    createdAt: Instant
    updatedAt: Instant
  }
  'store.categories': {
    tenantId: string
    id: string
    slug: string
    name: string
    description: string | null
    position: Generated<number>
    hidden: Generated<boolean>
    createdAt: Instant
  }
  'store.coupon_redemptions': {
    tenantId: string
    reference: string
    couponId: string
    userId: string
    createdAt: Instant
    heldUntil: Instant
    confirmedAt: Instant | null
    releasedAt: Instant | null
  }
  'store.coupons': {
    tenantId: string
    id: string
    code: string
    type: 'percent' | 'fixed'
    percentBasisPoints: BasisPoints | null
    amountCents: Cents | null
    currency: string
    duration: 'once' | 'cycles' | 'forever'
    durationCycles: number | null
    minimumCents: Cents | null
    maxRedemptions: number | null
    maxRedemptionsPerUser: number | null
    redemptions: Generated<number>
    validFrom: Instant | null
    validTo: Instant | null
    newCustomersOnly: Generated<boolean>
    includeSetupFee: Generated<boolean>
    stackable: Generated<boolean>
    productIds: Generated<string[]>
    categoryIds: Generated<string[]>
    planIds: Generated<string[]>
    intervals: Generated<('one_time' | 'hour' | 'week' | 'month' | 'year')[]>
    createdAt: Instant
    archivedAt: Instant | null
  }
  'store.plan_prices': {
    tenantId: string
    planId: string
    currency: string
    priceCents: Cents
    priceMicros: number | null
    setupFeeCents: Generated<Cents>
  }
  'store.plans': {
    tenantId: string
    id: string
    productId: string
    name: string
    interval: 'one_time' | 'hour' | 'week' | 'month' | 'year'
    intervalCount: number
    priceCents: Cents
    priceMicros: number | null
    currency: string
    setupFeeCents: Generated<Cents>
    trialDays: Generated<number>
    createdAt: Instant
    archivedAt: Instant | null
  }
  'store.products': {
    tenantId: string
    id: string
    slug: string
    name: string
    description: string | null
    categoryId: string | null
    taxRateId: string | null
    stock: number | null
    hidden: Generated<boolean>
    position: Generated<number>
    upgradeTargetIds: Generated<string[]>
    provisioning: NullableJson<{
      eggId: string
      nodeIds: string[]
      locationIds: string[]
      limits: {
        memoryMb: number
        diskMb: number
        cpuPercent: number
        swapMb: number
        io: number
      }
      featureLimits: { databases: number; backups: number; allocations: number }
      environment: Record<string, string>
    }>
    createdAt: Instant
    archivedAt: Instant | null
  }
  'store.stock_holds': {
    tenantId: string
    reference: string
    productId: string
    quantity: number
    createdAt: Instant
    heldUntil: Instant
    takenAt: Instant | null
    releasedAt: Instant | null
  }
  'store.tax_rate_versions': {
    tenantId: string
    taxRateId: string
    country: string
    class: string
    validFrom: Day
    validTo: Day | null
    rateBasisPoints: BasisPoints
    archivedAt: Instant | null
  }
  'store.tax_rates': {
    tenantId: string
    id: string
    name: string
    country: string
    class: string
    category: 'S' | 'E'
    createdAt: Instant
    archivedAt: Instant | null
  }
  'store.trials': {
    tenantId: string
    userId: string
    productId: string
    reference: string
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
