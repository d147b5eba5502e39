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
  'affiliation.affiliates': {
    tenantId: string
    id: string
    userId: string
    code: string
    createdAt: Instant
    suspendedAt: Instant | null
    suspendedReason: string | null
    closedAt: Instant | null
  }
  'affiliation.click_days': {
    tenantId: string
    affiliateId: string
    day: Day
    clicks: number
  }
  'affiliation.commissions': {
    tenantId: string
    id: string
    affiliateId: string
    referralId: string
    invoiceId: string
    currency: string
    cashCents: Cents
    baseCents: Cents
    amountCents: Cents
    reversedCents: Generated<Cents>
    flags: Generated<string[]>
    reviewedAt: Instant | null
    reviewedBy: string | null
    rejectedAt: Instant | null
    availableAt: Instant
    maturedAt: Instant | null
    createdAt: Instant
  }
  'affiliation.conversions': {
    tenantId: string
    id: string
    affiliateId: string
    kind: 'credit' | 'forfeited' | 'payout'
    currency: string
    amountCents: Cents
    createdAt: Instant
  }
  'affiliation.imported_balances': {
    tenantId: string
    id: string
    importId: string
    affiliateId: string
    currency: string
    balanceCents: Cents
    withdrawnCents: Cents
    createdAt: Instant
    clearedCents: Generated<Cents>
    updatedBy: string | null
  }
  'affiliation.imported_commissions': {
    tenantId: string
    id: string
    importId: string
    affiliateId: string
    kind: 'earned' | 'pending' | 'paid_out'
    currency: string
    amountCents: Cents
    description: string
    happenedAt: Instant | null
    availableAt: Instant | null
    maturedAt: Instant | null
    forfeitedAt: Instant | null
    createdAt: Instant
    clearedAt: Instant | null
  }
  'affiliation.payouts': {
    tenantId: string
    id: string
    affiliateId: string
    currency: string
    amountCents: Cents
    paidOn: Day
    method: string
    reference: string
    createdAt: Instant
  }
  'affiliation.rates': {
    tenantId: string
    id: string
    productId: string
    type: 'percent' | 'fixed'
    percentBasisPoints: BasisPoints | null
    amountCents: Cents | null
    currency: string | null
    createdAt: Instant
  }
  'affiliation.referrals': {
    tenantId: string
    id: string
    affiliateId: string
    userId: string
    source: 'code' | 'visit' | 'imported' | 'staff'
    sharedOrigin: boolean
    createdAt: Instant
    refusedAt: Instant | null
    refusal: 'same_email' | 'same_payment_method' | 'same_vat_number' | null
    earnedElsewhereAt: Instant | null
    correctedAt: Instant | null
    correctedBy: string | null
    correctionReason: string | null
    removedAt: Instant | null
  }
  'affiliation.visits': {
    tenantId: string
    id: string
    affiliateId: string
    visitorHash: Buffer
    originHash: string
    createdAt: Instant
    expiresAt: Instant
  }
  'audit.changes': {
    tenantId: string
    id: string
    occurredAt: Instant
    changes: NullableJson<{ path: string; before: unknown; after: unknown }[]>
    salt: Buffer | null
    erasedAt: Instant | null
  }
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
    changesHash: Buffer | null
  }
  'audit.heads': {
    tenantId: string
    sequence: number
    hash: Buffer
    anchorSequence: Generated<number>
    anchorHash: Generated<Buffer>
    prunedAt: Instant | null
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
    changes: NullableJson<{ path: string; before: unknown; after: unknown }[]>
  }
  'audit.personal': {
    tenantId: string
    id: string
    salt: Buffer | null
    address: string | null
    occurredAt: Instant
    reducedAt: Instant | null
  }
  'billing.attempt_invoices': {
    tenantId: string
    attemptId: string
    invoiceId: string
  }
  'billing.bank_entries': {
    tenantId: string
    id: string
    statementId: string
    gatewayId: string
    entryKey: string
    bookedOn: Day
    amountCents: Cents
    currency: string
    bankReference: string | null
    payerName: string | null
    payerIban: string | null
    remittance: string | null
    state: 'new' | 'open' | 'booked' | 'dismissed'
    paymentId: string | null
    userId: string | null
    note: string | null
    createdAt: Instant
    settledAt: Instant | null
    settledBy: string | null
  }
  'billing.bank_statements': {
    tenantId: string
    id: string
    gatewayId: string
    format: 'camt.053' | 'csv'
    fileName: string | null
    entryCount: number
    newCount: number
    debitCount: number
    createdAt: Instant
    createdBy: string
  }
  'billing.breaks': {
    tenantId: string
    id: string
    gatewayId: string
    kind: string
    objectId: string
    attemptId: string | null
    details: Json<Record<string, unknown>>
    createdAt: Instant
    resolvedAt: Instant | null
    resolvedBy: string | null
    resolution: string | null
  }
  'billing.credit_note_lines': {
    tenantId: string
    creditNoteId: string
    position: number
    category: 'S' | 'AE' | 'O' | 'E'
    rateBasisPoints: BasisPoints | null
    country: string
    netCents: Cents
    taxCents: Cents
    totalCents: Cents
  }
  'billing.credit_notes': {
    tenantId: string
    id: string
    invoiceId: string
    userId: string
    number: string
    invoiceNumber: string
    invoiceIssuedAt: Instant
    reason: string
    currency: string
    netCents: Cents
    taxCents: Cents
    totalCents: Cents
    seller: Json<Record<string, string | boolean | null>>
    buyer: Json<Record<string, string | null>>
    mentions: Json<{ code: string; text: string }[]>
    contentHash: Buffer
    createdAt: Instant
    issuedAt: Instant
    anonymizedAt: Instant | null
    reasonKey: string | null
    reasonFacts: NullableJson<Record<string, string>>
  }
  'billing.disputes': {
    tenantId: string
    id: string
    paymentId: string
    gatewayId: string
    providerDisputeId: string
    amountCents: Cents
    currency: string
    state: 'inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'closed_without_loss'
    reason: string | null
    respondBy: Instant | null
    heldCents: Generated<Cents>
    lostCents: Generated<Cents>
    feeCents: Generated<Cents>
    observedAt: Instant
    createdAt: Instant
    endedAt: Instant | null
  }
  'billing.document_files': {
    tenantId: string
    documentId: string
    format: 'pdf' | 'cii' | 'ubl'
    fileKey: string
    sha256: Buffer
    sizeBytes: number
  }
  'billing.documents': {
    tenantId: string
    id: string
    kind: 'invoice' | 'pro_forma' | 'credit_note'
    invoiceId: string | null
    creditNoteId: string | null
    requestedAt: Instant
    facts: NullableJson<{
      paidCents: number
      payments?: {
        paidOn: string | null
        means: 'card' | 'sepa_debit' | 'paypal' | 'bank_transfer' | 'credit' | 'other'
        detail: string | null
        amountCents: number
      }[]
      brandName: string
      color: string | null
      footer: string | null
      logo?: string | null
    }>
    madeAt: Instant | null
  }
  'billing.dues': {
    tenantId: string
    id: string
    invoiceId: string
    changeCents: Cents
    createdAt: Instant
  }
  'billing.export_leases': {
    tenantId: string
    userId: string
    leaseId: string
    heldUntil: Instant
  }
  'billing.gateways': {
    tenantId: string
    id: string
    driver: string
    name: string
    mode: 'test' | 'live'
    enabled: Generated<boolean>
    position: Generated<number>
    settings: ColumnType<Record<string, unknown>, JsonText | undefined, JsonText>
    sealedSecrets: string | null
    secretHints: ColumnType<Record<string, string>, JsonText | undefined, JsonText>
    accountId: string | null
    webhookEndpointId: string | null
    checkedAt: Instant | null
    fault: string | null
    changesReadTo: Instant | null
    createdAt: Instant
    archivedAt: Instant | null
    comparedAt: Instant | null
  }
  'billing.imported_credit': {
    tenantId: string
    id: string
    importId: string
    userId: string
    currency: string
    amountCents: Cents
    description: string
    happenedAt: Instant | null
    createdAt: Instant
    system: string | null
    sourceId: number | null
  }
  'billing.imported_payments': {
    tenantId: string
    id: string
    importId: string
    userId: string
    invoiceId: string | null
    currency: string
    gateway: string
    reference: string
    description: string
    inCents: Cents
    outCents: Cents
    feeCents: Cents
    refundOf: string | null
    happenedAt: Instant | null
    createdAt: Instant
    system: string | null
    sourceId: number | null
  }
  'billing.imported_refunds': {
    tenantId: string
    id: string
    paymentId: string
    userId: string
    gatewayId: string | null
    amountCents: Cents
    currency: string
    reference: string | null
    reason: string
    createdAt: Instant
  }
  'billing.installation': {
    id: Generated<boolean>
    installationId: string
    publicUrl: string | null
  }
  'billing.invoice_lines': {
    tenantId: string
    id: string
    invoiceId: string
    position: number
    description: string
    serviceId: string | null
    productId: string | null
    quantity: number
    unitPriceCents: Cents
    subtotalCents: Cents
    discountCents: Cents
    netCents: Cents
    taxCents: Cents
    totalCents: Cents
    taxCategory: 'S' | 'AE' | 'O' | 'E'
    rateBasisPoints: BasisPoints | null
    taxCountry: string
    periodStart: Instant | null
    periodEnd: Instant | null
  }
  'billing.invoice_series': {
    tenantId: string
    code: string
    year: number
    nextSequence: Generated<number>
    lastIssuedAt: Instant | null
  }
  'billing.invoice_taxes': {
    tenantId: string
    invoiceId: string
    position: number
    category: 'S' | 'AE' | 'O' | 'E'
    rateBasisPoints: BasisPoints | null
    country: string
    netCents: Cents
    taxCents: Cents
  }
  'billing.invoices': {
    tenantId: string
    id: string
    userId: string
    kind: 'checkout' | 'upgrade' | 'renewal' | 'top_up' | 'manual'
    reference: string | null
    status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
    number: string | null
    currency: string
    priceMode: 'exclusive' | 'inclusive'
    subtotalCents: Cents
    discountCents: Cents
    netCents: Cents
    taxCents: Cents
    totalCents: Cents
    paidCents: Generated<Cents>
    creditedCents: Generated<Cents>
    refundedCents: Generated<Cents>
    reversedCents: Generated<Cents>
    heldCreditCents: Generated<Cents>
    disputed: Generated<boolean>
    seller: Json<Record<string, string | boolean | null>>
    buyer: Json<Record<string, string | null>>
    taxCountry: string | null
    taxReason: string | null
    mentions: ColumnType<{ code: string; text: string }[], JsonText | undefined, JsonText>
    contentHash: Buffer | null
    note: string | null
    voidReason: string | null
    createdAt: Instant
    issuedAt: Instant | null
    dueAt: Instant | null
    paidAt: Instant | null
    voidedAt: Instant | null
    writtenOffAt: Instant | null
    anonymizedAt: Instant | null
    draftLines: NullableJson<
      {
        description: string
        quantity: number
        unitPriceCents: number
        productId: string | null
        periodStart: string | null
        periodEnd: string | null
      }[]
    >
    series: string | null
    evidence: NullableJson<{
      pieces: { kind: 'billing_address' | 'payment'; country: string }[]
      country: string | null
      vatCheck?: {
        vatNumber: string
        status: 'valid' | 'invalid'
        requester: string | null
        consultationNumber: string | null
        checkedAt: string
      }
    }>
    evidenceConflict: Generated<boolean>
    replacedBy: string | null
    imported: NullableJson<{
      importId: string
      number: string
      status: string
      state?: string
      subtotalCents: number
      taxCents: number
      secondTaxCents: number
      creditCents: number
      dueCents: number
      totalCents: number
    }>
    sourceSystem: string | null
    sourceId: number | null
    sourceFingerprint: string | null
    targetFingerprint: string | null
    transferReference: string | null
  }
  'billing.line_components': {
    tenantId: string
    invoiceId: string
    position: number
    component: string
  }
  'billing.payment_allocations': {
    tenantId: string
    paymentId: string
    invoiceId: string
    amountCents: Cents
  }
  'billing.payment_attempts': {
    tenantId: string
    id: string
    userId: string
    gatewayId: string | null
    purpose: 'checkout' | 'renewal' | 'setup' | 'credit'
    paymentMethodId: string | null
    amountCents: Cents
    currency: string
    saveMethod: Generated<boolean>
    embedded: Generated<boolean>
    returnUrl: string | null
    state:
      | 'created'
      | 'open'
      | 'action_required'
      | 'processing'
      | 'paid'
      | 'failed'
      | 'canceled'
      | 'expired'
      | 'unknown'
    keyNumber: Generated<number>
    request: NullableJson<Record<string, unknown>>
    sentAt: Instant | null
    checkoutId: string | null
    providerPaymentId: string | null
    nextStep: NullableJson<Record<string, unknown>>
    failureCode: string | null
    failureKey: string | null
    failureRetry: string | null
    observedAt: Instant | null
    nextCheckAt: Instant | null
    tries: Generated<number>
    cancelWantedAt: Instant | null
    createdAt: Instant
    endedAt: Instant | null
  }
  'billing.payment_methods': {
    tenantId: string
    id: string
    gatewayId: string
    userId: string
    providerMethodId: string
    kind: 'card' | 'sepa_debit' | 'paypal' | 'bank_transfer' | 'other'
    brand: string | null
    last4: string | null
    expMonth: number | null
    expYear: number | null
    fingerprint: string | null
    label: string | null
    isDefault: Generated<boolean>
    createdAt: Instant
    goneAt: Instant | null
  }
  'billing.payments': {
    tenantId: string
    id: string
    userId: string
    gatewayId: string
    attemptId: string | null
    providerPaymentId: string
    receivedCents: Cents
    currency: string
    feeCents: Generated<Cents>
    creditCents: Generated<Cents>
    methodKind: string | null
    methodBrand: string | null
    methodLast4: string | null
    fingerprint: string | null
    paidAt: Instant
    createdAt: Instant
    methodCountry: string | null
  }
  'billing.provider_customers': {
    tenantId: string
    id: string
    gatewayId: string
    userId: string
    providerCustomerId: string
    createdAt: Instant
    goneAt: Instant | null
  }
  'billing.provider_events': {
    tenantId: string
    id: string
    gatewayId: string
    eventKey: string
    type: string
    objectId: string | null
    envelope: string
    state: 'new' | 'done' | 'ignored' | 'failed'
    tries: Generated<number>
    note: string | null
    receivedAt: Instant
    doneAt: Instant | null
  }
  'billing.refunds': {
    tenantId: string
    id: string
    userId: string
    invoiceId: string | null
    creditNoteId: string | null
    paymentId: string | null
    gatewayId: string | null
    providerRefundId: string | null
    amountCents: Cents
    currency: string
    state: 'pending' | 'action_required' | 'succeeded' | 'failed' | 'canceled'
    origin: 'us' | 'provider'
    reason: string
    failureCode: string | null
    sentAt: Instant | null
    createdAt: Instant
    endedAt: Instant | null
  }
  'bot.delivered': {
    tenantId: string
    tokenId: string
    notificationId: string
  }
  'bot.feeds': {
    tenantId: string
    lastSequence: Generated<number>
    trimmedSequence: Generated<number>
  }
  'bot.grants': {
    tenantId: string
    discordId: string
    guildId: string
    roleId: string
    userId: string
    createdAt: Instant
  }
  'bot.role_changes': {
    tenantId: string
    sequence: number
    discordId: string
    guildId: string
    roleId: string
    action: 'add' | 'remove'
    createdAt: Instant
  }
  'bot.role_mappings': {
    tenantId: string
    id: string
    discordGuildId: string
    discordRoleId: string
    source: 'product' | 'plan' | 'active_service' | 'rbac_role' | 'group'
    sourceId: string | null
    createdAt: Instant
  }
  'bot.tokens': {
    tenantId: string
    id: string
    name: string
    scopes: ('users:read' | 'roles:read' | 'notifications:read')[]
    prefix: string
    hash: Buffer
    allowedIps: Generated<string[]>
    createdAt: Instant
    expiresAt: Instant | null
    lastUsedAt: Instant | null
    revokedAt: Instant | null
    appliedSequence: number | null
    notificationsFrom: string
  }
  'desk.presence': {
    tenantId: string
    kind: string
    objectId: string
    userId: string
    writing: boolean
    seenAt: Instant
  }
  'desk.views': {
    tenantId: string
    id: string
    userId: string
    screen: string
    name: string
    query: string
    hiddenColumns: string[]
    shared: boolean
    createdAt: Instant
  }
  'imports.changes': {
    tenantId: string
    importId: string
    record: string
    recordId: string
    before: Json<Record<string, unknown>>
    changedAt: Instant
  }
  'imports.decisions': {
    tenantId: string
    importId: string
    decision: 'price' | 'running_periods' | 'tax' | 'gateways' | 'subscriptions' | 'differences'
    choice: string
    decidedBy: string | null
    decidedAt: Instant
  }
  'imports.expected_invoices': {
    tenantId: string
    importId: string
    serviceId: string
    startsAt: Instant
    invoiceAt: Instant
    userId: string
    currency: string
    planId: string
    formerCents: Cents
    netCents: Cents
    totalCents: Cents
  }
  'imports.imports': {
    tenantId: string
    id: string
    userId: string | null
    fileName: string
    fileKey: string
    sizeBytes: number
    sha256: Buffer
    dryRun: boolean
    wantedSystem: 'whmcs' | 'paymenter' | 'fossbilling' | null
    status:
      | 'uploaded'
      | 'analysing'
      | 'importing'
      | 'completed'
      | 'completed_with_failures'
      | 'not_reconciled'
      | 'failed'
      | 'rejected'
      | 'canceled'
      | 'undoing'
      | 'undone'
    phase: Generated<'waiting' | 'survey' | 'staging' | 'resolving' | 'writing' | 'done'>
    bytesRead: Generated<number>
    bytesTotal: number | null
    rowsRead: Generated<number>
    rowsTotal: number | null
    stagedTo: Generated<number>
    report: NullableJson<Record<string, unknown>>
    fault: NullableJson<{
      code: string
      byte: number | null
      line: number | null
      detail?: string | null
    }>
    cancelWantedAt: Instant | null
    leaseUntil: Instant | null
    tries: Generated<number>
    createdAt: Instant
    startedAt: Instant | null
    phaseAt: Instant | null
    progressAt: Instant | null
    finishedAt: Instant | null
    fileGoneAt: Instant | null
    advancedInTry: Generated<number>
    installation: string | null
    undoTries: Generated<number>
    undoFailure: NullableJson<{
      code: 'undo_failed' | 'import_in_use'
      detail: string | null
      at: string
    }>
  }
  'imports.notes': {
    tenantId: string
    importId: string
    number: Generated<number>
    kind: 'skipped' | 'merged' | 'failed' | 'warning'
    code: string
    sourceTable: string
    sourceId: number | null
    detail: string | null
  }
  'imports.openings': {
    tenantId: string
    importId: string
    lane: number
    userId: string
    currency: string
    creditCents: Cents
    receivableCents: Cents
  }
  'imports.origins': {
    tenantId: string
    system: string
    sourceTable: string
    sourceId: number
    targetId: string
    importId: string
    sourceHash: string | null
    targetHash: string | null
    credit: number | null
    creditCurrency: string | null
  }
  'imports.reconciled_customers': {
    tenantId: string
    importId: string
    days: number
    place: number
    userId: string
    currency: string
    formerCents: Cents
    expectedCents: Cents
    billedCents: Cents
    unexplainedCents: Cents
    reasons: string[]
    serviceIds: string[]
  }
  'imports.reconciliations': {
    tenantId: string
    importId: string
    days: number
    beganAt: Instant
    throughAt: Instant
    dueAt: Instant
    readyAt: Instant | null
  }
  'imports.snapshot_rows': {
    tenantId: string
    importId: string
    resource: 'invoices' | 'people' | 'prices' | 'services'
    sourceId: number
    hash: string
    amount: number | null
    facts: string | null
  }
  'imports.snapshots': {
    tenantId: string
    importId: string
    system: string
    takenAt: Instant
  }
  'imports.staged_affiliates': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    createdAt: Instant | null
    visitors: number | null
    balance: number | null
    withdrawn: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    currency: number | null
    code: string | null
    reward: number | null
    bookedChange: number | null
    cleared: number | null
    overdrawn: boolean | null
  }
  'imports.staged_balances': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    currency: number | null
    amount: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_cancellations': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    service: number | null
    kind: string | null
    requestedAt: Instant | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_categories': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    name: string | null
    hidden: boolean | null
    position: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_client_groups': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    name: string | null
    discount: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_clients': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    currency: number | null
    email: string | null
    name: string | null
    company: string | null
    addressLine1: string | null
    addressLine2: string | null
    city: string | null
    region: string | null
    postcode: string | null
    country: string | null
    phone: string | null
    taxNumber: string | null
    taxExempt: boolean | null
    credit: number | null
    status: string | null
    language: string | null
    password: string | null
    createdAt: Instant | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    login: string | null
    survivor: number | null
    follows: boolean | null
    creditChange: number | null
    creditKept: boolean | null
    clientGroup: number | null
    secondFactor: boolean | null
    confirmed: boolean | null
    notes: string | null
  }
  'imports.staged_commissions': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    affiliate: number | null
    referral: number | null
    happenedAt: Instant | null
    description: string | null
    amount: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_contacts': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    text: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_coupon_products': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    coupon: number | null
    product: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_coupons': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    code: string | null
    type: string | null
    value: number | null
    recurring: boolean | null
    recurrences: number | null
    startsAt: Instant | null
    endsAt: Instant | null
    maxUses: number | null
    uses: number | null
    oncePerClient: boolean | null
    newClientsOnly: boolean | null
    products: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    restricted: boolean | null
  }
  'imports.staged_credit_entries': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    happenedAt: Instant | null
    description: string | null
    amount: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_currencies': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    code: string | null
    decimals: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    main: boolean | null
  }
  'imports.staged_custom_fields': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    label: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_custom_values': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    field: number | null
    text: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_details': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    key: string | null
    value: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_invoice_items': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    invoice: number | null
    client: number | null
    type: string | null
    reference: number | null
    description: string | null
    amount: number | null
    taxed: boolean | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    fault: string | null
  }
  'imports.staged_invoice_rates': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    invoice: number | null
    rate: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_invoices': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    number: string | null
    issuedAt: Instant | null
    dueAt: Instant | null
    paidAt: Instant | null
    subtotal: number | null
    credit: number | null
    tax: number | null
    tax2: number | null
    total: number | null
    rate: number | null
    rate2: number | null
    state: string | null
    status: string | null
    note: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    owedBefore: number | null
    currency: number | null
    series: string | null
    paid: number | null
  }
  'imports.staged_login_clients': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    login: number | null
    client: number | null
    owner: boolean | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_logins': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    email: string | null
    password: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    secondFactor: boolean | null
    confirmed: boolean | null
  }
  'imports.staged_option_groups': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    name: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_option_links': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    optionGroup: number | null
    product: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_option_values': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    option: number | null
    key: string | null
    name: string | null
    position: number | null
    hidden: boolean | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_options': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    optionGroup: number | null
    key: string | null
    name: string | null
    kind: string | null
    minimum: number | null
    maximum: number | null
    position: number | null
    hidden: boolean | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_orders': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    number: string | null
    amount: number | null
    status: string | null
    invoice: number | null
    createdAt: Instant | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    currency: number | null
  }
  'imports.staged_payouts': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    affiliate: number | null
    happenedAt: Instant | null
    amount: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_pending_commissions': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    referral: number | null
    amount: number | null
    clearsAt: Instant | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_plans': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    product: number | null
    kind: string | null
    pays: string | null
    months: number | null
    cycle: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_price_periods': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    price: number | null
    months: number | null
    amount: number | null
    setupFee: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_prices': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    kind: string | null
    product: number | null
    currency: number | null
    months: number[] | null
    amounts: number[] | null
    setupFees: number[] | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    plan: number | null
    pays: string | null
  }
  'imports.staged_products': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    category: number | null
    name: string | null
    description: string | null
    hidden: boolean | null
    retired: boolean | null
    stock: number | null
    position: number | null
    pays: string | null
    taxable: boolean | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    payment: number | null
  }
  'imports.staged_referrals': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    affiliate: number | null
    service: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    orderRef: number | null
    client: number | null
    earnedAt: Instant | null
  }
  'imports.staged_service_options': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    service: number | null
    option: number | null
    value: number | null
    quantity: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_services': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    orderRef: number | null
    product: number | null
    name: string | null
    firstAmount: number | null
    amount: number | null
    months: number | null
    cycle: string | null
    nextDueAt: Instant | null
    createdAt: Instant | null
    endedAt: Instant | null
    state: string | null
    status: string | null
    quantity: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    currency: number | null
    plan: number | null
    coupon: number | null
    promotion: number | null
    subscription: string | null
    overdue: boolean | null
    cancel: string | null
    coupons: NullableJson<Record<string, unknown>[]>
    discount: string | null
    fullAmount: number | null
    components: NullableJson<unknown>
    choices: string | null
    optionsExceed: boolean | null
  }
  'imports.staged_subscriptions': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    invoice: number | null
    reference: string | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_tax_rates': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    level: number | null
    name: string | null
    region: string | null
    country: string | null
    rate: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
  }
  'imports.staged_transactions': {
    tenantId: string
    importId: string
    rowNumber: number
    sourceId: number
    client: number | null
    currency: number | null
    gateway: string | null
    happenedAt: Instant | null
    description: string | null
    amountIn: number | null
    fees: number | null
    amountOut: number | null
    reference: string | null
    invoice: number | null
    refundOf: number | null
    outcome: string | null
    reason: string | null
    targetId: string | null
    state: string | null
  }
  'imports.steps': {
    tenantId: string
    importId: string
    step: string
    at: Instant
    result: NullableJson<unknown>
  }
  'imports.uploads': {
    tenantId: string
    id: string
    fileKey: string
    createdAt: Instant
  }
  'incidents.incidents': {
    tenantId: string
    id: string
    kind: 'incident' | 'maintenance'
    impact: 'none' | 'minor' | 'major' | 'critical'
    titles: Json<Record<string, string>>
    nodeIds: Generated<string[]>
    locationIds: Generated<string[]>
    productIds: Generated<string[]>
    startsAt: Instant
    endsAt: Instant | null
    state: 'investigating' | 'identified' | 'monitoring' | 'resolved' | null
    createdAt: Instant
    publishedAt: Instant | null
    resolvedAt: Instant | null
    canceledAt: Instant | null
  }
  'incidents.notified': {
    tenantId: string
    updateId: string
    userId: string
    createdAt: Instant
  }
  'incidents.updates': {
    tenantId: string
    id: string
    incidentId: string
    state:
      | 'investigating'
      | 'identified'
      | 'monitoring'
      | 'resolved'
      | 'scheduled'
      | 'in_progress'
      | 'completed'
      | 'canceled'
    texts: Json<Record<string, string>>
    authorId: string
    createdAt: Instant
    notify: boolean
    notifiedUpTo: string | null
    notifiedCount: Generated<number>
    finishedAt: Instant | null
  }
  'knowledge.articles': {
    tenantId: string
    id: string
    categoryId: string
    audience: 'public' | 'customers'
    position: Generated<number>
    createdAt: Instant
    archivedAt: Instant | null
  }
  'knowledge.categories': {
    tenantId: string
    id: string
    slug: string
    names: Json<Record<string, string>>
    descriptions: ColumnType<Record<string, string>, JsonText | undefined, JsonText>
    position: Generated<number>
    createdAt: Instant
    archivedAt: Instant | null
  }
  'knowledge.feedback': {
    tenantId: string
    id: string
    versionId: string
    userId: string | null
    visitor: Buffer | null
    helpful: boolean
    createdAt: Instant
  }
  'knowledge.search': {
    tenantId: string
    articleId: string
    locale: string
    audience: string
    words: string
  }
  'knowledge.slugs': {
    tenantId: string
    slug: string
    categoryId: string | null
    articleId: string | null
  }
  'knowledge.texts': {
    tenantId: string
    articleId: string
    locale: 'en' | 'fr' | 'de' | 'nl' | 'es' | 'it' | 'pl' | 'pt'
    slug: string
    title: string
    summary: string | null
    markdown: string
    revision: number
    liveVersionId: string | null
    updatedAt: Instant
  }
  'knowledge.versions': {
    tenantId: string
    id: string
    articleId: string
    locale: 'en' | 'fr' | 'de' | 'nl' | 'es' | 'it' | 'pl' | 'pt'
    number: number
    title: string
    summary: string | null
    markdown: string
    authorId: string
    publishedAt: Instant
  }
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
  'ledger.debtors': {
    tenantId: string
    userId: string
    number: number
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
  'ledger.sales_days': {
    tenantId: string
    currency: string
    day: Day
    netCents: Cents
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
  'notifications.announcements': {
    tenantId: string
    id: string
    texts: Json<Readonly<Record<string, { title: string; body: string }>>>
    productIds: string[]
    mailed: boolean
    link: string | null
    createdBy: string
    createdAt: Instant
    toldUpTo: string | null
    told: Generated<number>
    finishedAt: Instant | null
    public: Generated<boolean>
    publishedAt: Instant | null
    publishAt: Instant | null
    publicLater: Generated<boolean>
  }
  'notifications.mail_servers': {
    tenantId: string
    host: string
    port: number
    security: 'tls' | 'starttls' | 'none'
    username: string | null
    sealedPassword: string | null
    edition: string
    checkedAt: Instant | null
    fault: string | null
    failingSince: Instant | null
    updatedAt: Instant
  }
  'notifications.mail_templates': {
    tenantId: string
    kind: string
    locale: string
    subject: string
    text: string
    updatedAt: Instant
    fault: string | null
    faultAt: Instant | null
  }
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
    userId: string | null
    locale: Generated<string>
    failedAt: Instant | null
    suppressedAt: Instant | null
    usefulUntil: Instant | null
    edition: Generated<number>
    refusedAt: Instant | null
    content: NullableJson<{
      greeting: string
      paragraphs: string[]
      rows: [string, string][]
      action: { label: string; to: string } | null
      after: string | null
    }>
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
    position: Generated<number>
    xact: Generated<string>
    snapshot: Generated<string>
    inApp: Generated<boolean>
    discord: Generated<boolean>
    toldBy: string | null
  }
  'notifications.preferences': {
    tenantId: string
    userId: string
    kind: string
    channel: 'inApp' | 'email' | 'discord'
    enabled: boolean
  }
  'notifications.undeliverable_addresses': {
    tenantId: string
    address: string
    reason: string
    since: Instant
  }
  'notifications.unread_counts': {
    tenantId: string
    userId: string
    id: Generated<number>
    unread: number
  }
  'oidc.artifacts': {
    tenantId: string
    kind: 'Session' | 'Interaction' | 'AuthorizationCode' | 'AccessToken' | 'RefreshToken'
    hash: Buffer
    uid: string | null
    grantId: string | null
    userId: string | null
    clientId: string | null
    payload: Json<object>
    createdAt: Instant
    expiresAt: Instant
    consumedAt: Instant | null
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
    requireVerifiedEmail: Generated<boolean>
  }
  'oidc.grants': {
    tenantId: string
    id: string
    userId: string
    clientId: string
    scopes: string[]
    payload: Json<object>
    createdAt: Instant
    expiresAt: Instant
  }
  'oidc.sign_ins': {
    tenantId: string
    uid: string
    userId: string
    userSessionId: string
    expiresAt: Instant
  }
  'oidc.signing_keys': {
    tenantId: string
    generation: number
    id: string
    sealedKey: string
    createdAt: Instant
    signsAt: Instant
  }
  'orders.allowances': {
    tenantId: string
    userId: string
    maxOpenServices: number | null
    maxOpenOrders: number | null
    openOrdersPerProduct: number | null
    maxHeldUnits: number | null
    changedBy: string
    changedAt: Instant
  }
  'orders.imported_orders': {
    tenantId: string
    id: string
    importId: string
    userId: string
    number: string
    status: string
    amountCents: Cents
    currency: string
    invoiceId: string | null
    orderedAt: Instant | null
    createdAt: Instant
    system: string | null
    sourceId: number | null
  }
  'orders.order_items': {
    tenantId: string
    id: string
    orderId: string
    productId: string
    planId: string
    quantity: number
    totalCents: Cents
    locationId: string | null
  }
  'orders.orders': {
    tenantId: string
    id: string
    number: string
    userId: string
    invoiceId: string
    totalCents: Cents
    currency: string
    immediateStart: boolean
    createdAt: Instant
    paidAt: Instant | null
    fulfilledAt: Instant | null
    canceledAt: Instant | null
    quote: NullableJson<{
      lines: {
        itemId: string
        productId: string
        categoryId: string | null
        planId: string
        interval: 'one_time' | 'hour' | 'week' | 'month' | 'year'
        quantity: number
        setupFee: boolean
        free: boolean
        unitPriceCents: number
        description: string
        serviceId: string | null
        components?: {
          key: string
          kind: 'location' | 'option'
          sourceId: string
          valueId: string | null
          quantity: number | null
          text: string | null
          name: string | null
          label: string
          position: number
          priceCents: Cents
          feeCents: Cents
          priceMicros: number | null
        }[]
        intervalCount?: number
        onTrial?: boolean
      }[]
      coupons: Record<string, unknown>[]
    }>
    heldUntil: Instant | null
    consentedAt: Instant | null
    consentVersion: string | null
    consentLanguage: string | null
    startsAt: Instant | null
    termsVersion: number | null
    termsLanguage: string | null
    note: string | null
    placedBy: string | null
  }
  'panel.activity': {
    tenantId: string
    id: string
    nodeId: string
    serverUuid: string
    fingerprint: Buffer
    event: string
    panelUser: string | null
    ip: string | null
    metadata: Json<Record<string, unknown>>
    happenedAt: Instant
    happened: string
    receivedAt: Instant
  }
  'panel.daemon_tokens': {
    tenantId: string
    id: string
    nodeId: string
    machine: string
    mode: 'relay' | 'report'
    tokenId: string
    hash: Buffer
    createdAt: Instant
    expiresAt: Instant | null
    lastUsedAt: Instant | null
  }
  'panel.egg_changes': {
    tenantId: string
    id: string
    eggId: string
    changes: Json<{
      variables: { env: string; change: 'added' | 'removed' | 'changed'; fields: string[] }[]
      images: { added: string[]; removed: string[] }
      startup: { added: string[]; removed: string[] }
    }>
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
  'panel.location_places': {
    tenantId: string
    locationId: string
    nodeId: string
    remoteId: string
  }
  'panel.locations': {
    tenantId: string
    id: string
    slug: string
    name: string
    country: string
    city: string | null
    position: Generated<number>
    hidden: Generated<boolean>
    createdAt: Instant
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
    signOnUrl: string | null
  }
  'panel.paces': {
    tenantId: string
    nodeId: string
    fullAt: Instant
  }
  'panel.reservations': {
    tenantId: string
    id: string
    reference: string
    nodeId: string
    locationIds: string[]
    memoryMb: number
    diskMb: number
    cpuPercent: number
    heldUntil: Instant | null
    placedAt: Instant | null
  }
  'panel.server_reports': {
    tenantId: string
    nodeId: string
    serverUuid: string
    machine: string | null
    installStartedAt: Instant | null
    installEndedAt: Instant | null
    installSuccessful: boolean | null
    reinstall: boolean | null
    interruptedAt: Instant | null
    state: 'offline' | 'starting' | 'running' | 'stopping' | null
    stateAt: Instant | null
    startedAt: Instant | null
    crashedAt: Instant | null
    crashToldAt: Instant | null
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
    unusedSince: string | null
  }
  'platform.schedules': {
    name: string
    id: Generated<string>
    dueAt: Generated<Instant>
    holder: string | null
    leaseUntil: Instant | null
    failures: Generated<number>
    failedAt: Instant | null
    error: string | null
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
  'services.counts': {
    tenantId: string
    node: string
    status: string
    id: Generated<number>
    services: number
  }
  'services.deliveries': {
    tenantId: string
    id: string
    serviceId: string
    productId: string
    action: 'create' | 'change' | 'suspend' | 'resume' | 'end'
    upgradeId: string | null
    createdAt: Instant
    confirmBy: Instant
    alertedAt: Instant | null
    tries: Generated<number>
    nextAt: Instant | null
    leaseUntil: Instant | null
    sentAt: Instant | null
    acceptedAt: Instant | null
    doneAt: Instant | null
    failedAt: Instant | null
    failureCode: 'refused' | 'not_done' | 'unanswered' | null
    failure: string | null
    canceledAt: Instant | null
    reference: string | null
  }
  'services.delivery_attempts': {
    tenantId: string
    id: string
    deliveryId: string
    startedAt: Instant
    statusCode: number | null
    error: string | null
    durationMs: number
  }
  'services.drift_findings': {
    tenantId: string
    id: string
    nodeId: string
    kind:
      | 'orphan'
      | 'unknown'
      | 'missing'
      | 'limits'
      | 'suspension'
      | 'owner'
      | 'unattached'
      | 'imported'
    serverId: number | null
    serviceId: string | null
    serverName: string | null
    externalId: string | null
    expected: NullableJson<Record<string, unknown>>
    found: NullableJson<Record<string, unknown>>
    foundAt: Instant
    repairWantedAt: Instant | null
    repairedAt: Instant | null
    repairError: NullableJson<{ code: string; detail: string; at: Instant }>
  }
  'services.drift_reports': {
    tenantId: string
    nodeId: string
    id: string
    startedAt: Instant
    nextPage: Generated<number>
    lastServerId: Generated<number>
    servers: Generated<number>
    nextAt: Instant | null
    leaseUntil: Instant | null
    attempt: Generated<number>
    lastError: NullableJson<{ code: string; detail: string; at: Instant }>
    finishedAt: Instant | null
  }
  'services.given_back': {
    tenantId: string
    id: string
    serviceId: string
    invoiceId: string
    amountCents: Cents
    createdAt: Instant
  }
  'services.handover_details': {
    tenantId: string
    serviceId: string
    position: number
    label: string
    value: string | null
    sealedValue: string | null
  }
  'services.invitations': {
    tenantId: string
    id: string
    serviceId: string
    invitedBy: string
    email: string
    permissions: string[]
    createdAt: Instant
    expiresAt: Instant
    acceptedAt: Instant | null
    acceptedBy: string | null
    declinedAt: Instant | null
    revokedAt: Instant | null
    sends: Generated<number>
  }
  'services.members': {
    tenantId: string
    userId: string
    serviceId: string
    role: 'owner' | 'member'
    permissions: string[]
    createdAt: Instant
  }
  'services.notes': {
    tenantId: string
    id: string
    serviceId: string
    authorId: string
    text: string
    createdAt: Instant
  }
  'services.panel_accounts': {
    tenantId: string
    nodeId: string
    userId: string
    externalId: string
    remoteUserId: number | null
    leaseUntil: Instant | null
    madeHere: Generated<boolean>
  }
  'services.panel_subusers': {
    tenantId: string
    serviceId: string
    userId: string
    email: string
    subuserUuid: string | null
  }
  'services.periods': {
    tenantId: string
    id: string
    serviceId: string
    startsAt: Instant
    endsAt: Instant
    invoiceId: string | null
    productId: string
    planId: string
    priceCents: Cents
    valueCents: Cents
    createdAt: Instant
    paidAt: Instant | null
    voidedAt: Instant | null
    dueAt: Instant
    charges: Generated<number>
    charged: Generated<number>
    refusedMethodId: string | null
    reminders: Generated<number>
    warnedBy: string | null
    dunningAt: Instant | null
    setupFeeCents: Generated<Cents>
    chargeAgainAt: Instant | null
    isDebt: Generated<boolean>
    voidReason: NullableJson<
      { key: string; facts: Record<string, string> | null } | { written: string }
    >
    freePriceCents: Cents | null
    freeDays: number | null
    freeReason: string | null
    components: ColumnType<
      {
        key: string
        kind: 'location' | 'option'
        sourceId: string
        valueId: string | null
        quantity: number | null
        text: string | null
        name: string | null
        label: string
        position: number
        priceCents: Cents
        feeCents: Cents
        priceMicros: number | null
        valueCents: Cents
      }[],
      JsonText | undefined,
      JsonText
    >
  }
  'services.price_changes': {
    tenantId: string
    serviceId: string
    effectiveFrom: Day
    priceCents: Cents
    createdAt: Instant
  }
  'services.provisioning': {
    tenantId: string
    serviceId: string
    startedAt: Instant
    attempt: Generated<number>
    placements: Generated<number>
    uncertainSince: Instant | null
    absentAt: Instant | null
    watchedSince: Instant | null
    polls: Generated<number>
    reinstalls: Generated<number>
    nextAt: Instant | null
    leaseUntil: Instant | null
    lastError: NullableJson<{ code: string; detail: string; at: Instant }>
    alertedAt: Instant | null
    doneAt: Instant | null
    leavingNodeId: string | null
    locationIds: string[] | null
    linksServer: Generated<boolean>
    requestId: string | null
    purchaseId: string | null
    byStaff: Generated<boolean>
    serverMayExist: boolean | null
    refundedAt: Instant | null
    refundPutOffAt: Instant | null
  }
  'services.provisioning_attempts': {
    tenantId: string
    serviceId: string
    attempt: number
    code: string
    detail: string
    failedAt: Instant
  }
  'services.recurring': {
    tenantId: string
    id: string
    serviceId: string
    userId: string
    currency: string
    changeCents: Cents
    createdAt: Instant
  }
  'services.reinstalls': {
    tenantId: string
    serviceId: string
    id: string
    startedAt: Instant
    askedAt: Instant | null
    polls: Generated<number>
    nextAt: Instant | null
    finishedAt: Instant | null
    outcome: 'done' | 'failed' | 'unknown' | null
  }
  'services.search_terms': {
    tenantId: string
    serviceId: string
    term: string
  }
  'services.server_leases': {
    tenantId: string
    serviceId: string
    holder: string
    until: Instant
  }
  'services.services': {
    tenantId: string
    id: string
    userId: string
    orderId: string | null
    orderItemId: string | null
    invoiceId: string | null
    productId: string
    planId: string
    name: string
    environment: ColumnType<Record<string, string>, JsonText | undefined, JsonText>
    priceCents: Cents
    valueCents: Cents
    currency: string
    interval: 'one_time' | 'hour' | 'week' | 'month' | 'year'
    intervalCount: number
    trialDays: Generated<number>
    autoRenew: Generated<boolean>
    cancelAtPeriodEnd: Generated<boolean>
    scheduledProductId: string | null
    scheduledPlanId: string | null
    anchorAt: Instant | null
    currentPeriodStart: Instant | null
    currentPeriodEnd: Instant | null
    externalId: string
    nodeId: string | null
    serverId: number | null
    serverUuid: string | null
    identifier: string | null
    address: string | null
    createdAt: Instant
    paidAt: Instant | null
    activatedAt: Instant | null
    failedAt: Instant | null
    failureCode: string | null
    failureMessage: string | null
    suspendedAt: Instant | null
    endedAt: Instant | null
    endReason: 'canceled' | 'unpaid' | 'terminated' | 'refunded' | 'fraud' | 'completed' | null
    priceMicros: number | null
    setupFeeCents: Generated<Cents>
    coupons: ColumnType<Record<string, unknown>[], JsonText | undefined, JsonText>
    immediateStart: Generated<boolean>
    invoicedTo: Instant | null
    nextInvoiceAt: Instant | null
    renewalFailure: string | null
    suspendReasons: Generated<string[]>
    cancelReason: string | null
    endWantedAt: Instant | null
    endWantedReason:
      | 'canceled'
      | 'unpaid'
      | 'terminated'
      | 'refunded'
      | 'fraud'
      | 'completed'
      | null
    endKeepsData: Generated<boolean>
    deleteServerAt: Instant | null
    serverDeletedAt: Instant | null
    dockerImage: string | null
    startupCommand: string | null
    imported: NullableJson<{
      importId: string
      formerId?: string
      name?: string
      status: string
      cycle: string
      firstCents: number
      amountCents: number
      fullCents?: number | null
      untaxed?: boolean
      quantity: number
      cancel?: string | null
      subscription?: string | null
      overdue?: boolean
      discount?: string | null
    }>
    serverLostAt: Instant | null
    cancelCode: string | null
    startsAt: Instant | null
    delivery: Generated<'server' | 'manual' | 'webhook' | 'none'>
    periodStarts: Generated<'payment' | 'delivery'>
    freeUntil: Instant | null
    locationId: string | null
    components: ColumnType<
      {
        key: string
        kind: 'location' | 'option'
        sourceId: string
        valueId: string | null
        quantity: number | null
        text: string | null
        name: string | null
        label: string
        position: number
        priceCents: Cents
        feeCents: Cents
        priceMicros: number | null
        valueCents: Cents
      }[],
      JsonText | undefined,
      JsonText
    >
    scheduledOptions: NullableJson<{
      id: string
      options: {
        key: string
        component: {
          key: string
          kind: 'location' | 'option'
          sourceId: string
          valueId: string | null
          quantity: number | null
          text: string | null
          name: string | null
          label: string
          position: number
          priceCents: Cents
          feeCents: Cents
          priceMicros: number | null
        } | null
      }[]
    }>
  }
  'services.startup_changes': {
    tenantId: string
    serviceId: string
    id: string
    environment: Json<Record<string, string>>
    dockerImage: string | null
    startupCommand: string | null
    requestedAt: Instant
    attempt: Generated<number>
    nextAt: Instant | null
    appliedAt: Instant | null
    failedAt: Instant | null
    lastError: NullableJson<{ code: string; detail: string; at: Instant }>
    sentAt: Instant | null
  }
  'services.tasks': {
    tenantId: string
    id: string
    serviceId: string
    action: 'create' | 'change' | 'suspend' | 'resume' | 'end'
    upgradeId: string | null
    createdAt: Instant
    dueAt: Instant
    claimedAt: Instant | null
    claimedBy: string | null
    doneAt: Instant | null
    failedAt: Instant | null
    failure: string | null
    canceledAt: Instant | null
  }
  'services.transitions': {
    tenantId: string
    serviceId: string
    version: Generated<number>
    startedAt: Instant
    attempt: Generated<number>
    nextAt: Instant | null
    leaseUntil: Instant | null
    lastError: NullableJson<{ code: string; detail: string; at: Instant }>
    alertedAt: Instant | null
    doneAt: Instant | null
  }
  'services.upgrades': {
    tenantId: string
    id: string
    serviceId: string
    productId: string
    planId: string
    invoiceId: string | null
    priceCents: Cents
    valueCents: Cents
    createdAt: Instant
    paidAt: Instant | null
    appliedAt: Instant | null
    failedAt: Instant | null
    failureCode: string | null
    canceledAt: Instant | null
    attempt: Generated<number>
    nextAt: Instant | null
    leaseUntil: Instant | null
    anchorAt: Instant | null
    interval: 'one_time' | 'hour' | 'week' | 'month' | 'year' | null
    intervalCount: number | null
    creditCents: Cents | null
    lastError: NullableJson<{ code: string; detail: string; at: Instant }>
    alertedAt: Instant | null
    parts: NullableJson<
      {
        startsAt: Instant
        endsAt: Instant
        creditCents: Cents
        chargeCents: Cents
        valueCents: Cents
        values?: Record<string, Cents>
        components?: Record<string, { creditCents: Cents; chargeCents: Cents }>
      }[]
    >
    countedPeriodIds: string[] | null
    components: ColumnType<
      {
        key: string
        kind: 'location' | 'option'
        sourceId: string
        valueId: string | null
        quantity: number | null
        text: string | null
        name: string | null
        label: string
        position: number
        priceCents: Cents
        feeCents: Cents
        priceMicros: number | null
        valueCents: Cents
      }[],
      JsonText | undefined,
      JsonText
    >
    kind: Generated<'product' | 'options'>
    pricedAt: Instant | null
    componentsBefore: NullableJson<
      {
        key: string
        kind: 'location' | 'option'
        sourceId: string
        valueId: string | null
        quantity: number | null
        text: string | null
        name: string | null
        label: string
        position: number
        priceCents: Cents
        feeCents: Cents
        priceMicros: number | null
        valueCents: Cents
      }[]
    >
  }
  'services.warnings': {
    tenantId: string
    periodId: string
    step: 'suspension' | 'end'
    noticeId: string | null
    writtenAt: Instant
    sentAt: Instant | null
    operatorsToldAt: Instant | null
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
    trial: Generated<boolean>
    locationId: string | null
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
    translations: ColumnType<
      Readonly<
        Record<
          string,
          {
            name?: string
            description?: string
            searchTitle?: string
            searchDescription?: string
          }
        >
      >,
      JsonText | undefined,
      JsonText
    >
    imageId: string | null
    imageWidth: number | null
    imageHeight: number | null
    imageAlt: string | null
    archivedAt: Instant | null
    archivedProducts: Generated<string[]>
    archivedHidden: Generated<string[]>
  }
  'store.component_prices': {
    tenantId: string
    kind: 'location' | 'option' | 'value' | 'tier'
    pricedId: string
    interval: 'one_time' | 'hour' | 'week' | 'month' | 'year'
    intervalCount: number
    currency: string
    priceCents: Cents
    feeCents: Generated<Cents>
    priceMicros: number | null
    locationId: string | null
    optionId: string | null
    valueId: string | null
    tierId: string | null
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
  'store.delivery_targets': {
    tenantId: string
    productId: string
    url: string
    includeCustomer: Generated<boolean>
    confirmHours: Generated<number>
    sealedSecret: string | null
    secretEnd: string | null
    tokenHash: Buffer | null
    sealedPreviousSecret: string | null
    previousTokenHash: Buffer | null
    previousEndsAt: Instant | null
    testedAt: Instant | null
  }
  'store.images': {
    tenantId: string
    id: string
    mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
    content: Buffer
    createdAt: Instant
  }
  'store.option_group_products': {
    tenantId: string
    groupId: string
    productId: string
  }
  'store.option_groups': {
    tenantId: string
    id: string
    name: string
    position: Generated<number>
    createdAt: Instant
    archivedAt: Instant | null
  }
  'store.option_tiers': {
    tenantId: string
    id: string
    optionId: string
    position: number
    upTo: number | null
  }
  'store.option_values': {
    tenantId: string
    id: string
    optionId: string
    key: string
    label: string
    position: Generated<number>
    isDefault: Generated<boolean>
    stock: number | null
    stockReturns: Generated<boolean>
    locationIds: Generated<string[]>
    requires: ColumnType<{ key: string; values: string[] }[], JsonText | undefined, JsonText>
    effect: NullableJson<
      | {
          kind: 'resource'
          amounts: {
            memoryMb?: number
            diskMb?: number
            cpuPercent?: number
            swapMb?: number
            databases?: number
            backups?: number
            allocations?: number
            subdomains?: number
          }
        }
      | { kind: 'variable'; env: string; template: string }
      | { kind: 'image' | 'startup'; label: string }
      | { kind: 'none' }
    >
    archivedAt: Instant | null
  }
  'store.options': {
    tenantId: string
    id: string
    groupId: string
    key: string
    kind: 'select' | 'toggle' | 'quantity' | 'text'
    name: string
    description: string | null
    position: Generated<number>
    required: Generated<boolean>
    hidden: Generated<boolean>
    trial: Generated<boolean>
    unit: string | null
    min: number | null
    max: number | null
    step: number | null
    display: 'slider' | 'number' | null
    priceMode: 'per_unit' | 'graduated' | 'volume' | null
    maxLength: number | null
    pattern: string | null
    effect: NullableJson<
      | {
          kind: 'resource'
          amounts: {
            memoryMb?: number
            diskMb?: number
            cpuPercent?: number
            swapMb?: number
            databases?: number
            backups?: number
            allocations?: number
            subdomains?: number
          }
        }
      | { kind: 'variable'; env: string; template: string }
      | { kind: 'image' | 'startup'; label: string }
      | { kind: 'none' }
    >
    createdAt: Instant
    archivedAt: Instant | null
    translations: ColumnType<
      Readonly<
        Record<
          string,
          {
            name?: string
            description?: string
            unit?: string
            values?: Readonly<Record<string, string>>
          }
        >
      >,
      JsonText | undefined,
      JsonText
    >
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
      choices?: { lockedVariables: string[]; dockerImage: boolean; startup: boolean }
    }>
    createdAt: Instant
    archivedAt: Instant | null
    sellableSince: Instant | null
    publishedAt: Instant | null
    delivery: Generated<'server' | 'manual' | 'webhook' | 'none'>
    instructions: string | null
    promiseHours: number | null
    periodStarts: Generated<'payment' | 'delivery'>
    taskActions: Generated<('change' | 'suspend' | 'end')[]>
    locationIds: Generated<string[]>
    translations: ColumnType<
      Readonly<
        Record<
          string,
          {
            name?: string
            description?: string
            searchTitle?: string
            searchDescription?: string
          }
        >
      >,
      JsonText | undefined,
      JsonText
    >
    badge: 'popular' | 'new' | 'recommended' | null | null
    imageId: string | null
    imageWidth: number | null
    imageHeight: number | null
    imageAlt: string | null
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
  'store.trial_keys': {
    tenantId: string
    sealedKey: string
  }
  'store.trial_marks': {
    tenantId: string
    productId: string
    mark: string
    reference: string
    createdAt: Instant
    forgetAt: Instant
  }
  'store.trials': {
    tenantId: string
    userId: string
    productId: string
    reference: string
    createdAt: Instant
  }
  'store.value_holds': {
    tenantId: string
    reference: string
    valueId: string
    quantity: number
    createdAt: Instant
    heldUntil: Instant
    takenAt: Instant | null
    releasedAt: Instant | null
  }
  'support.attachments': {
    tenantId: string
    id: string
    uploadedBy: string
    ticketId: string | null
    messageId: string | null
    name: string
    mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/octet-stream'
    sizeBytes: number
    sha256: Buffer | null
    createdAt: Instant
    storedAt: Instant | null
    erasedAt: Instant | null
  }
  'support.changes': {
    tenantId: string
    id: string
    ticketId: string
    kind:
      | 'assigned'
      | 'priority'
      | 'department'
      | 'held'
      | 'closed'
      | 'reopened'
      | 'participant_added'
      | 'participant_removed'
      | 'tags'
    actorId: string | null
    before: string | null
    after: string | null
    createdAt: Instant
  }
  'support.departments': {
    tenantId: string
    id: string
    names: Json<Record<string, string>>
    position: Generated<number>
    visibility: 'customers' | 'staff'
    groupIds: Generated<string[]>
    defaultPriority: 'low' | 'normal' | 'high' | 'urgent'
    createdAt: Instant
    archivedAt: Instant | null
  }
  'support.messages': {
    tenantId: string
    id: string
    ticketId: string
    kind: 'public' | 'note'
    author: 'customer' | 'staff'
    authorId: string
    body: string
    createdAt: Instant
  }
  'support.participants': {
    tenantId: string
    id: string
    ticketId: string
    userId: string
    role: 'requester' | 'copied'
    addedBy: string | null
    createdAt: Instant
    mutedAt: Instant | null
    removedAt: Instant | null
  }
  'support.saved_replies': {
    tenantId: string
    id: string
    ownerId: string | null
    name: string
    departmentIds: Generated<string[]>
    texts: Json<Record<string, string>>
    actions: Json<{
      next: 'answered' | 'hold' | 'close' | null
      holdHours: number | null
      priority: 'low' | 'normal' | 'high' | 'urgent' | null
      assigneeId: string | null
      assignToMe: boolean
      departmentId: string | null
      tags: string[]
    }>
    revision: Generated<number>
    createdAt: Instant
    archivedAt: Instant | null
  }
  'support.ticket_tags': {
    tenantId: string
    ticketId: string
    name: string
  }
  'support.tickets': {
    tenantId: string
    id: string
    number: string
    departmentId: string
    subject: string
    priority: 'low' | 'normal' | 'high' | 'urgent'
    openedVia: 'portal' | 'api' | 'staff'
    assigneeId: string | null
    serviceId: string | null
    invoiceId: string | null
    followsId: string | null
    waitingSince: Instant | null
    firstRespondedAt: Instant | null
    onHoldAt: Instant | null
    holdUntil: Instant | null
    closedAt: Instant | null
    closedBy: 'customer' | 'staff' | 'auto' | 'erasure' | null
    lastMessageAt: Instant
    lastActivityAt: Instant
    createdAt: Instant
    closingNoticeAt: Instant | null
  }
  'tenants.domains': {
    host: string
    tenantId: string
    position: Generated<number>
  }
  'tenants.front_pages': {
    tenantId: string
    texts: Json<
      Readonly<
        Record<
          string,
          {
            title: string | null
            lead: string | null
            questions: { question: string; answer: string }[]
          }
        >
      >
    >
    updatedAt: Instant
  }
  'tenants.legal_texts': {
    tenantId: string
    id: string
    kind: 'terms' | 'privacy' | 'legal' | 'withdraw'
    version: number
    texts: Json<Readonly<Record<string, string>>>
    publishedAt: Instant
    publishedBy: string | null
  }
  'tenants.logos': {
    tenantId: string
    sha256: Buffer
    mediaType: 'image/png' | 'image/jpeg'
    content: Buffer
    createdAt: Instant
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
    suspendedAt: Instant | null
    logoSha256: Buffer | null
    sellerReadyAt: Instant | null
    proposedDomains: Generated<string[]>
    darkLogoSha256: Buffer | null
    faviconSha256: Buffer | null
  }
  'users.allowances': {
    tenantId: string
    kind: string
    subject: string
    used: number
    endsAt: Instant
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
    parentId: string | null
  }
  'users.connection_starts': {
    tenantId: string
    id: string
    userId: string
    sessionId: string
    provider: 'discord'
    network: string
    redirectUri: string
    sealedVerifier: string
    createdAt: Instant
    expiresAt: Instant
  }
  'users.connections': {
    tenantId: string
    id: string
    userId: string
    provider: 'discord'
    accountId: string
    name: string
    createdAt: Instant
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
  'users.facts': {
    tenantId: string
    id: string
    userId: string
    position: number
    label: string
    text: string
  }
  'users.guesses': {
    tenantId: string
    account: string
    network: string
    failures: number
    guessedAt: Instant
    signedInAt: Instant | null
  }
  'users.legacy_passwords': {
    tenantId: string
    userId: string
    form: 'bcrypt' | 'md5salt' | 'hmac-sha256' | 'md5' | 'argon2' | 'none'
    sealedHash: string | null
    createdAt: Instant
  }
  'users.notes': {
    tenantId: string
    id: string
    userId: string
    authorId: string
    text: string
    createdAt: Instant
  }
  'users.passkey_challenges': {
    tenantId: string
    id: string
    purpose: 'register' | 'sign_in' | 'second_factor'
    hash: Buffer
    userId: string | null
    sessionId: string | null
    pendingSignInId: string | null
    createdAt: Instant
    expiresAt: Instant
  }
  'users.passkeys': {
    tenantId: string
    id: string
    userId: string
    name: string
    credentialId: string
    publicKey: Buffer
    rpId: string
    counter: number
    transports: string[]
    backedUp: boolean
    createdAt: Instant
    lastUsedAt: Instant | null
  }
  'users.pending_sign_ins': {
    tenantId: string
    id: string
    userId: string
    hash: Buffer
    failures: Generated<number>
    createdAt: Instant
    expiresAt: Instant
  }
  'users.recovery_codes': {
    tenantId: string
    id: string
    userId: string
    hash: Buffer
    createdAt: Instant
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
  'users.search_terms': {
    tenantId: string
    userId: string
    term: string
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
    secondFactorAt: Instant | null
    impersonatorSessionId: string | null
    impersonatorKeyId: string | null
    impersonationReason: string | null
  }
  'users.totp_secrets': {
    tenantId: string
    userId: string
    sealedSecret: string
    createdAt: Instant
    confirmedAt: Instant | null
    lastStep: Generated<number>
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
    locale: Generated<'en' | 'fr' | 'de' | 'nl' | 'es' | 'it' | 'pl' | 'pt'>
    mfaEnabledAt: Instant | null
    createdAt: Instant
    suspendedAt: Instant | null
    deletedAt: Instant | null
    vatCheckAt: Instant | null
    vatCheckTries: Generated<number>
    emailVerifiedBefore: Instant | null
    phone: string | null
    timeZone: string | null
    marketingConsentAt: Instant | null
    termsVersion: number | null
    termsLanguage: string | null
    termsAcceptedAt: Instant | null
    registrationState: string | null
    marketingConsentSource: string | null
  }
  'users.vat_answers': {
    tenantId: string
    subject: string
    status: 'valid' | 'invalid'
    requester: string | null
    consultationNumber: string | null
    checkedAt: Instant
  }
  'users.vat_checks': {
    tenantId: string
    id: string
    userId: string
    vatNumber: string
    status: 'valid' | 'invalid'
    requester: string | null
    consultationNumber: string | null
    checkedAt: Instant
  }
  'vouchers.attempts': {
    tenantId: string
    id: string
    userId: string
    failedAt: Instant
    blockedUntil: Instant | null
  }
  'vouchers.batches': {
    tenantId: string
    id: string
    name: string
    amountCents: Cents
    currency: string
    count: number
    expiresAt: Instant | null
    createdBy: string
    createdAt: Instant
    made: Generated<number>
    readyAt: Instant | null
    downloadedAt: Instant | null
    codesDeletedAt: Instant | null
    voidedAt: Instant | null
  }
  'vouchers.keys': {
    tenantId: string
    sealedKey: string
  }
  'vouchers.vouchers': {
    tenantId: string
    id: string
    batchId: string
    codeHash: Buffer
    sealedCode: string | null
    last4: string
    amountCents: Cents
    currency: string
    expiresAt: Instant | null
    createdAt: Instant
    redeemedAt: Instant | null
    redeemedBy: string | null
    voidedAt: Instant | null
  }
  'webhooks.attempts': {
    tenantId: string
    deliveryId: string
    id: string
    startedAt: Instant
    durationMs: number
    statusCode: number | null
    error: string | null
    responseBody: string | null
  }
  'webhooks.deliveries': {
    tenantId: string
    id: string
    endpointId: string
    messageId: string
    type: string
    status: 'pending' | 'held' | 'delivered' | 'failed'
    orderingKey: string | null
    nextAt: Instant | null
    leaseUntil: Instant | null
    attempts: Generated<number>
    tries: Generated<number>
    statusCode: number | null
    error: string | null
    createdAt: Instant
    deliveredAt: Instant | null
  }
  'webhooks.endpoints': {
    tenantId: string
    id: string
    url: string
    description: string | null
    types: string[] | null
    ordered: boolean
    sealedSecret: string
    secretEnd: string
    sealedPreviousSecret: string | null
    previousSecretEndsAt: Instant | null
    createdAt: Instant
    disabledAt: Instant | null
    disabledReason: 'by_admin' | 'gone' | 'failing' | null
    failingSince: Instant | null
    pausedUntil: Instant | null
    deletedAt: Instant | null
  }
  'webhooks.messages': {
    tenantId: string
    id: string
    type: string
    objectId: string | null
    userId: string | null
    body: string
    createdAt: Instant
    requestId: string | null
    trace: string | null
    purchaseId: string | null
  }
}
