import { type Static, Type } from 'typebox'
import { Body, Id, Nullable, OneOf, PageQuery, Resource, Timestamp } from '#lib/schema.ts'
import { NOT_BILLED, NOTICES } from '#services'

export const SYSTEMS = ['whmcs', 'paymenter', 'fossbilling'] as const

export const Upload = Body({
  file: Type.Optional(
    Type.String({ format: 'binary', description: 'The dump: .sql, .sql.gz, or a .zip with one' }),
  ),
  source: Type.Optional(OneOf(SYSTEMS, 'The system that wrote the dump; detected if omitted')),
  dryRun: Type.Optional(Type.Boolean({ description: 'True: report only, and change nothing' })),
})

const Count = Type.Integer({ minimum: 0 })
const Sums = Type.Record(
  Type.String(),
  Type.Record(
    Type.String(),
    Type.Union([Type.Integer(), Type.String()], {
      description: 'Cents; as text where a number could not hold them exactly',
    }),
  ),
  { title: 'AmountsByCurrency', description: 'By currency' },
)

const ImportedResource = Resource('ImportedResource', {
  table: Type.String({ description: 'Where it comes from' }),
  read: Count,
  imported: Count,
  merged: Count,
  skipped: Count,
  failed: Count,
  reasons: Type.Array(
    Type.Object({
      code: Type.String(),
      outcome: Type.String(),
      count: Count,
      rows: Type.Array(Type.Object({ id: Type.String() }), {
        description: 'The first 1000; all of them are in the list of rows',
      }),
    }),
  ),
})

const ReportSchema = Resource('ImportReport', {
  source: Type.Object({
    system: OneOf(SYSTEMS),
    version: Nullable(Type.String()),
    prefix: Type.String(),
    taxMode: OneOf(['exclusive', 'inclusive']),
    catalogTaxMode: Type.Optional(
      OneOf(['exclusive', 'inclusive'], 'Of prices of its catalog, if that differs from `taxMode`'),
    ),
    taxed: Type.Boolean({ description: 'Whether it charged tax' }),
    timeZone: Type.String(),
    charset: Type.Object({ declared: Nullable(Type.String()), used: Type.String() }),
  }),
  resources: Type.Record(Type.String(), ImportedResource),
  controls: Type.Record(
    Type.String(),
    Type.Object({ source: Sums, imported: Sums, skipped: Sums, failed: Sums }),
  ),
  statuses: Type.Record(Type.String(), Type.Record(Type.String(), Sums)),
  plans: Type.Array(Type.Object({ cycle: Type.String(), plans: Count, prices: Count })),
  passwords: Type.Record(Type.String(), Count),
  warnings: Type.Array(
    Type.Object({
      code: Type.String(),
      table: Type.String(),
      count: Count,
      rows: Type.Array(Type.String()),
    }),
  ),
  tables: Type.Array(
    Type.Object({
      table: Type.String(),
      rows: Count,
      use: OneOf(['read', 'not_imported']),
      sumsCents: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  ),
  statementsIgnored: Type.Object({ count: Count, kinds: Type.Record(Type.String(), Count) }),
  missingTables: Type.Array(Type.String(), {
    description: 'Tables missing in the dump',
  }),
  actionsNeeded: Type.Array(Type.String()),
  differences: Type.Array(Type.String(), {
    description: 'Where the figures do not add up; then the import is not reconciled',
  }),
})

export const ImportStatus = OneOf([
  ...(['uploaded', 'analysing', 'importing', 'completed', 'completed_with_failures'] as const),
  ...(['not_reconciled', 'failed', 'rejected', 'canceled', 'undoing', 'undone'] as const),
])

export const ImportSummary = Resource('ImportSummary', {
  id: Id,
  status: ImportStatus,
  dryRun: Type.Boolean(),
  file: Type.Object({ name: Type.String(), bytes: Count, sha256: Type.String() }),
  startedBy: Nullable(Id),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  finishedAt: Nullable(Timestamp),
  fault: Nullable(
    Type.Object(
      {
        code: Type.String(),
        message: Type.String(),
        line: Nullable(Type.Integer()),
        byte: Nullable(Type.Integer()),
      },
      { description: 'Why it could not be imported' },
    ),
  ),
  undoFailure: Nullable(
    Type.Object(
      { code: OneOf(['undo_failed', 'import_in_use']), message: Type.String(), at: Timestamp },
      { description: 'Why it was not undone; its status is the one before' },
    ),
  ),
  progress: Type.Object({
    phase: OneOf(['waiting', 'survey', 'staging', 'resolving', 'writing', 'done']),
    bytes: Count,
    bytesTotal: Nullable(Count),
    rows: Count,
    rowsTotal: Nullable(Count),
    bytesPerSecond: Nullable(Count),
    secondsLeft: Nullable(Count),
  }),
})

export const ImportSchema = Resource('Import', {
  ...ImportSummary.properties,
  report: Nullable(ReportSchema),
})
export const Decisions = Body({
  differences: Type.Optional(
    OneOf(
      ['accepted'],
      'Required if the import is not reconciled: you know why its figures do not add up',
    ),
  ),
  runningPeriods: Type.Optional(
    OneOf(
      ['leave', 'invoice'],
      'What to do with a current period that the old system never invoiced; `leave`: it is free',
    ),
  ),
  price: Type.Optional(
    OneOf(
      ['keep_total', 'keep_amount'],
      'Required if only one system has prices with tax: `keep_total` converts them so that customers pay the same',
    ),
  ),
  tax: Type.Optional(
    OneOf(
      ['standard_rates'],
      'Required without tax rates: the standard rate of each country applies',
    ),
  ),
  gateways: Type.Optional(
    OneOf(['without_gateway'], 'Required without a gateway: customers cannot pay online'),
  ),
  subscriptions: Type.Optional(
    OneOf(
      ['canceled'],
      'Required if customers have subscriptions in the old system: cancel them there, so that no customer pays twice',
    ),
  ),
})
export type Decisions = Static<typeof Decisions>

/** The decisions that change the preview; those that are stored apply without them. */
export const PreviewDecisions = Type.Object({
  runningPeriods: Decisions.properties.runningPeriods,
  price: Decisions.properties.price,
})
export type PreviewDecisions = Static<typeof PreviewDecisions>

const DecisionSchema = Resource('ImportDecision', {
  decision: OneOf([
    ...(['differences', 'price', 'tax', 'gateways', 'subscriptions', 'runningPeriods'] as const),
  ]),
  choices: Type.Array(Type.String()),
  needed: Type.Boolean({ description: 'Renewals do not begin without it' }),
  choice: Nullable(Type.String()),
  decidedBy: Nullable(Id),
  decidedAt: Nullable(Timestamp),
})
export type DecisionView = Static<typeof DecisionSchema>
export const ImportDecisions = Resource('ImportDecisions', { data: Type.Array(DecisionSchema) })

export const PreviewQuery = Type.Object({
  ...PreviewDecisions.properties,
  ...PageQuery.properties,
})

const SetUpSchema = Type.Array(
  Type.Object({
    code: OneOf([
      ...(['seller_incomplete', 'price_mode_undecided', 'no_tax_rates', 'no_gateway'] as const),
      ...(['servers_not_linked', 'not_billed_here'] as const),
    ]),
    count: Count,
  }),
  { description: 'Setup missing before renewals begin' },
)
export type SetUp = Static<typeof SetUpSchema>

const RenewalPreviewSchema = Resource('RenewalPreview', {
  serviceId: Id,
  formerId: Type.String({ description: 'Its number in the old system' }),
  userId: Id,
  email: Type.String(),
  name: Type.String(),
  currency: Type.String(),
  billed: Type.Boolean(),
  whyNot: Nullable(OneOf([...NOT_BILLED])),
  detail: Nullable(Type.String()),
  periodStart: Nullable(Timestamp),
  invoiceAt: Nullable(Timestamp),
  invoices: { ...Count, description: 'Invoices in the first 60 days' },
  oldCents: Type.Integer({ description: 'Its price in the old system' }),
  newNetCents: Nullable(Type.Integer()),
  newTotalCents: Nullable(Type.Integer()),
  notices: Type.Array(OneOf([...NOTICES])),
})

export const ImportPreview = Resource('ImportPreview', {
  setUp: SetUpSchema,
  data: Type.Array(RenewalPreviewSchema),
  nextCursor: Nullable(Type.String()),
})

export const BegunRenewals = Resource('BegunRenewals', {
  begun: Count,
  movedOn: {
    ...Count,
    description: 'Of those: how many had time behind them that is not invoiced',
  },
  invoicedThere: {
    ...Count,
    description: 'Periods covered by an open old invoice',
  },
  ending: { ...Count, description: 'Services with a request to cancel' },
  converted: { ...Count, description: 'Services whose price was converted' },
  catalogConverted: { ...Count, description: 'Plans of the catalog whose price was converted' },
})

const ReconciliationSchema = Resource('ImportReconciliation', {
  days: Count,
  beganAt: Timestamp,
  throughAt: Type.String({
    format: 'date-time',
    description: 'Invoices up to this time are compared',
  }),
  readyAt: Nullable(Timestamp),
  totals: Type.Array(
    Type.Object({
      currency: Type.String(),
      customers: Count,
      unexplained: { ...Count, description: 'Customers with an unexplained difference' },
      formerCents: Type.Integer(),
      expectedCents: Type.Integer(),
      billedCents: Type.Integer(),
      unexplainedCents: Type.Integer(),
    }),
  ),
})
export type Reconciliation = Static<typeof ReconciliationSchema>
export const ImportReconciliations = Resource('ImportReconciliations', {
  data: Type.Array(ReconciliationSchema),
})

const CHANGES = ['new', 'changed', 'gone'] as const
const COMPARED = ['invoices', 'people', 'prices', 'services'] as const
const Amount = Nullable(Type.Number({ description: 'In hundredths of the unit of the currency' }))

export const ImportChanges = Resource('ImportChanges', {
  comparedWith: Nullable(Id),
  counts: Type.Array(
    Type.Object({ resource: OneOf(COMPARED), change: OneOf(CHANGES), count: Count }),
    { description: 'On the first page only' },
  ),
  data: Type.Array(
    Type.Object({
      resource: OneOf(COMPARED),
      id: Type.String({ description: 'Its id in the old system' }),
      change: OneOf(CHANGES),
      formerAmount: Amount,
      amount: Amount,
      formerFacts: Nullable(Type.String()),
      facts: Nullable(
        Type.String({
          description:
            'Status, cycle and due date; of prices, the amount by months, such as `1:499 12:4990`',
        }),
      ),
    }),
  ),
  nextCursor: Nullable(Type.String()),
})
export type ImportChanges = Static<typeof ImportChanges>

export const ReconciledCustomer = Resource('ReconciledCustomer', {
  userId: Id,
  email: Nullable(Type.String()),
  currency: Type.String(),
  formerCents: Type.Integer({ description: 'The same periods at the prices of the old system' }),
  expectedCents: Type.Integer({ description: 'The preview when renewals began, with tax' }),
  billedCents: Type.Integer(),
  differenceCents: Type.Integer(),
  unexplainedCents: Type.Integer({
    description: 'Differences without a recorded reason, added up',
  }),
  reasons: Type.Array(
    Type.String({
      description:
        '`ended`, `unpaid`, `voided`, `plan_changed`, `price_changed`, `tax_changed`, `unexplained`',
    }),
  ),
  serviceIds: Type.Array(Id, { description: 'The services that differ' }),
})
export type ReconciledCustomer = Static<typeof ReconciledCustomer>

export const Undo = Body({
  dryRun: Type.Optional(Type.Boolean({ description: 'True: only list the obstacles' })),
})

export const UndoneImport = Resource('UndoneImport', {
  status: ImportStatus,
  obstacles: Type.Array(
    Type.Object({
      code: Type.String({ description: 'The kind of records, such as `orders` or `edits`' }),
      count: Count,
      ids: Type.Array(Type.String(), { description: 'The first five' }),
    }),
  ),
})
export type UndoneImport = Static<typeof UndoneImport>

export type ImportSummary = Static<typeof ImportSummary>
export type ImportView = Static<typeof ImportSchema>
