import { type Insertable, sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { DAY_MS, type Day, type Instant, instant, later } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiled, compiledFirst } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { compiledPage, type ListQuery, listOf, type PageQuery, pageOf } from '#platform/page.ts'
import { begins, termBegins } from '#platform/search.ts'

export type InvoiceRow = Row<'billing.invoices'>
/** A line, and the component of a service whose period it charges; null for the plan, and for what is charged once. */
export type InvoiceLineRow = Row<'billing.invoice_lines'> & { readonly component: string | null }
export type InvoiceTaxRow = Row<'billing.invoice_taxes'>
export type InvoiceKey = { tenantId: string; invoiceId: string }

/** An invoice's lines and tax groups. */
export type InvoiceParts = { lines: InvoiceLineRow[]; taxes: InvoiceTaxRow[] }

type NewInvoice = Insertable<Tables['billing.invoices']>

export function insertInvoice(tx: Tx, row: NewInvoice): Promise<InvoiceRow> {
  return tx.insertInto('billing.invoices').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Writes whole invoices, on which nothing was paid yet, with their parts and what is owed on them. */
export async function insertInvoices(
  tx: Tx,
  invoices: readonly InvoiceRow[],
  { lines, taxes }: InvoiceParts,
): Promise<void> {
  await insertRows(tx, 'billing.invoices', invoices)
  const owed = invoices.filter((it) => it.number !== null && it.status === 'open')
  await insertRows(
    tx,
    'billing.dues',
    owed.map(({ tenantId, id: invoiceId, totalCents: changeCents, createdAt }) => ({
      ...{ tenantId, id: newId(), invoiceId, changeCents, createdAt },
    })),
  )
  await insertParts(tx, { lines, taxes })
}

export async function insertParts(tx: Tx, { lines, taxes }: InvoiceParts): Promise<void> {
  const rows = lines.map(({ component, ...line }) => line)
  await insertRows(tx, 'billing.invoice_lines', rows)
  const components = lines.flatMap(({ tenantId, invoiceId, position, component }) =>
    component === null ? [] : [{ tenantId, invoiceId, position, component }],
  )
  await insertRows(tx, 'billing.line_components', components)
  await insertRows(tx, 'billing.invoice_taxes', taxes)
}

export function findInvoice(db: Db, { tenantId, invoiceId }: InvoiceKey) {
  return db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', invoiceId)
    .executeTakeFirst()
}

/** Several invoices; unknown ids are left out. */
export function listInvoicesById(db: Db, tenantId: string, ids: readonly string[]) {
  return db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

const ownInvoice = compiledFirst((db, { tenantId, userId, invoiceId }: UserKey & InvoiceKey) =>
  db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', invoiceId)
    .where('status', '<>', 'draft'),
)

export function findOwnInvoice(db: Db, { tenantId, userId }: UserKey, invoiceId: string) {
  return ownInvoice(db, { tenantId, userId, invoiceId })
}

/** The lock for everything that happens to an invoice. */
export function lockInvoice(tx: Tx, { tenantId, invoiceId }: InvoiceKey) {
  return tx
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', invoiceId)
    .forUpdate()
    .executeTakeFirst()
}

/** The given invoices that belong to the user, with what they are for. */
export function listOwn(db: Db, { tenantId, userId }: UserKey, ids: readonly string[]) {
  return db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('kind')
    .orderBy('reference')
    .orderBy('id')
    .execute()
}

/** Locks several invoices in one order, so that two payments cannot deadlock. */
export function lockInvoices(tx: Tx, tenantId: string, ids: readonly string[]) {
  return tx
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function partsOf(db: Db, { tenantId, invoiceId }: InvoiceKey): Promise<InvoiceParts> {
  const { lines, taxes } = await partsOfAll(db, tenantId, [invoiceId])
  return { lines, taxes }
}

type InvoiceKeys = { tenantId: string; invoiceIds: readonly string[] }

const linesOf = compiled((db, { tenantId, invoiceIds }: InvoiceKeys) =>
  db
    .selectFrom('billing.invoice_lines as line')
    .leftJoin('billing.line_components as of', (join) =>
      join
        .onRef('of.tenantId', '=', 'line.tenantId')
        .onRef('of.invoiceId', '=', 'line.invoiceId')
        .onRef('of.position', '=', 'line.position'),
    )
    .selectAll('line')
    .select('of.component')
    .where('line.tenantId', '=', tenantId)
    .where('line.invoiceId', '=', sql<string>`any(${invoiceIds}::uuid[])`)
    .orderBy('line.invoiceId')
    .orderBy('line.position'),
)

const taxesOf = compiled((db, { tenantId, invoiceIds }: InvoiceKeys) =>
  db
    .selectFrom('billing.invoice_taxes')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', sql<string>`any(${invoiceIds}::uuid[])`)
    .orderBy('invoiceId')
    .orderBy('position'),
)

/** The lines and tax groups of several invoices, in order. */
export async function partsOfAll(
  db: Db,
  tenantId: string,
  invoiceIds: readonly string[],
): Promise<InvoiceParts> {
  if (invoiceIds.length === 0) return { lines: [], taxes: [] }
  const [lines, taxes] = await Promise.all([
    linesOf(db, { tenantId, invoiceIds }),
    taxesOf(db, { tenantId, invoiceIds }),
  ])
  return { lines, taxes }
}

/** The country that issued the means of a customer's last payment, if the provider reports it. */
export async function lastPaymentCountry(
  db: Db,
  { tenantId, userId }: UserKey,
): Promise<string | null> {
  const row = await db
    .selectFrom('billing.payments')
    .select('methodCountry')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('methodCountry', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.methodCountry ?? null
}

/** Likewise for several customers, by their ids; those without a known country are left out. */
export async function lastPaymentCountries(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('users.users as customer')
    .innerJoinLateral(
      (it) =>
        it
          .selectFrom('billing.payments')
          .select('methodCountry')
          .whereRef('tenantId', '=', 'customer.tenantId')
          .whereRef('userId', '=', 'customer.id')
          .where('methodCountry', 'is not', null)
          .orderBy('id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['customer.id', 'last.methodCountry'])
    .where('customer.tenantId', '=', tenantId)
    .where('customer.id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, methodCountry }) => [id, methodCountry ?? '']))
}

type Changes = Partial<
  Pick<
    InvoiceRow,
    | 'status'
    | 'number'
    | 'paidCents'
    | 'creditedCents'
    | 'refundedCents'
    | 'reversedCents'
    | 'heldCreditCents'
    | 'disputed'
    | 'contentHash'
    | 'evidenceConflict'
    | 'voidReason'
    | 'replacedBy'
    | 'issuedAt'
    | 'dueAt'
    | 'paidAt'
    | 'voidedAt'
    | 'writtenOffAt'
  >
> & { readonly evidence?: InvoiceRow['evidence'] }

/**
 * Writes a change of a locked invoice and, if it changes what is owed on it, records by how much. `now` is when it is
 * booked.
 */
export function updateInvoice(
  tx: Tx,
  { tenantId, id }: Pick<InvoiceRow, 'tenantId' | 'id'>,
  { evidence, ...changes }: Changes,
  now: Instant,
): Promise<InvoiceRow> {
  return tx
    .with('saved', (it) =>
      it
        .updateTable('billing.invoices')
        .set({
          ...changes,
          ...(evidence !== undefined && { evidence: evidence && json(evidence) }),
        })
        .where('tenantId', '=', tenantId)
        .where('id', '=', id)
        .returningAll(),
    )
    .with('noted', (it) =>
      it
        .insertInto('billing.dues')
        .columns(['tenantId', 'id', 'invoiceId', 'changeCents', 'createdAt'])
        .expression((eb) =>
          eb
            .selectFrom('saved')
            .select([
              'saved.tenantId',
              sql<string>`${newId()}::uuid`.as('id'),
              'saved.id as invoiceId',
              sql<Cents>`${OWED} - ${NOTED}`.as('changeCents'),
              sql<Instant>`${now}::timestamptz`.as('createdAt'),
            ])
            .where(sql<boolean>`${OWED} <> ${NOTED}`),
        ),
    )
    .selectFrom('saved')
    .selectAll()
    .executeTakeFirstOrThrow()
}

/** What is owed on a row called `saved`: what is due, once issued and until it has ended. */
const OWED = sql<Cents>`
  case when saved.status = 'open' and saved.number is not null and saved.kind <> 'top_up'
    then saved.total_cents - saved.credited_cents
      - (saved.paid_cents - saved.refunded_cents - saved.reversed_cents)
    else 0 end`

const NOTED = sql<Cents>`coalesce((
  select sum(change_cents)::bigint from billing.dues
  where tenant_id = saved.tenant_id and invoice_id = saved.id), 0)`

/** Writes the content of a locked draft; everything else is determined when it is issued. */
export function rewriteDraft(
  tx: Tx,
  { tenantId, id }: Pick<InvoiceRow, 'tenantId' | 'id'>,
  row: Partial<NewInvoice>,
): Promise<InvoiceRow> {
  return tx
    .updateTable('billing.invoices')
    .set(row)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('status', '=', 'draft')
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes the lines and taxes of a locked draft, so that they can be replaced. */
export async function deleteParts(tx: Tx, { tenantId, invoiceId }: InvoiceKey): Promise<void> {
  for (const table of ['billing.invoice_lines', 'billing.invoice_taxes'] as const) {
    await tx
      .deleteFrom(table)
      .where('tenantId', '=', tenantId)
      .where('invoiceId', '=', invoiceId)
      .execute()
  }
}

/** Deletes a locked draft with its parts. */
export async function deleteDraft(tx: Tx, { tenantId, invoiceId }: InvoiceKey): Promise<void> {
  await tx
    .deleteFrom('billing.invoices')
    .where('tenantId', '=', tenantId)
    .where('id', '=', invoiceId)
    .where('status', '=', 'draft')
    .execute()
}

type Status = InvoiceRow['status']
type Filter = { status?: Status; userId?: string; number?: string; evidenceConflict?: boolean }

const invoicesOf = (db: Db, { tenantId, userId }: UserKey) =>
  db
    .selectFrom('billing.invoices')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('status', '<>', 'draft')
const listAllOf = compiledPage(invoicesOf)
const listInStatusOf = compiledPage((db, values: UserKey & { status: Status }) =>
  invoicesOf(db, values).where('status', '=', values.status),
)

/** Invoices of one customer, newest first, without drafts, which customers do not see. */
export function listInvoicesOf(
  db: Db,
  { tenantId, userId }: UserKey,
  { status, ...page }: PageQuery & Filter,
) {
  return status
    ? listInStatusOf(db, { tenantId, userId, status }, page)
    : listAllOf(db, { tenantId, userId }, page)
}

type OwnFilter = { status?: Status; serviceId?: string; from?: Day; to?: Day; overdue?: boolean }

/** Likewise, with the filters of customers. */
export function searchInvoicesOf(
  db: Db,
  { tenantId, userId }: UserKey,
  { serviceId, from, to, overdue, ...rest }: PageQuery & OwnFilter,
  now: Instant,
) {
  if (!serviceId && !from && !to && overdue === undefined) {
    return listInvoicesOf(db, { tenantId, userId }, rest)
  }
  const { status, ...page } = rest
  const query = invoicesOf(db, { tenantId, userId })
    .$if(status !== undefined, (it) => it.where('status', '=', status ?? 'open'))
    .$if(from !== undefined, (it) => it.where(DATED_AT, '>=', startOf(from)))
    .$if(to !== undefined, (it) => it.where(DATED_AT, '<', later(startOf(to), DAY_MS)))
    .$if(overdue !== undefined, (it) => it.where(isLate(now), '=', sql.lit(overdue === true)))
    .$if(serviceId !== undefined, (it) =>
      it.where('id', 'in', (of) =>
        of
          .selectFrom('billing.invoice_lines')
          .select('invoiceId')
          .where('tenantId', '=', tenantId)
          .where('serviceId', '=', serviceId ?? ''),
      ),
    )
  return pageOf(query, page)
}

const DATED_AT = sql<Instant>`coalesce(issued_at, created_at)`

function startOf(day: Day | undefined): Instant {
  return instant(`${day}T00:00:00Z`)
}

/** `isOverdue` for the database. */
function isLate(now: Instant) {
  return sql<boolean>`(status = 'open' and number is not null and due_at is not null and due_at < ${now}
    and total_cents - credited_cents - (paid_cents - refunded_cents - reversed_cents) > 0)`
}

export type AdminFilter = Filter & {
  kind?: InvoiceRow['kind']
  from?: Day
  to?: Day
  overdue?: boolean
  disputed?: boolean
  gatewayId?: string
  q?: string
}

/** Invoices of a tenant, with the filters of staff. */
export async function listInvoices(
  db: Db,
  tenantId: string,
  { sort, count, limit, cursor, ...filter }: ListQuery & AdminFilter,
  now: Instant,
) {
  const page = {
    ...{ sort: sort ?? 'newest', count: count ?? false },
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
  return listOf(db, await filtered(db, tenantId, filter, now), page)
}

async function filtered(db: Db, tenantId: string, filter: AdminFilter, now: Instant) {
  const { status, userId, number, evidenceConflict, kind, from, to } = filter
  const { overdue, disputed, gatewayId, q } = filter
  let query = db.selectFrom('billing.invoices').selectAll().where('tenantId', '=', tenantId)
  if (status) query = query.where('status', '=', status)
  if (userId) query = query.where('userId', '=', userId)
  if (number) query = query.where('number', '=', number)
  if (kind) query = query.where('kind', '=', kind)
  if (from) query = query.where(DATED_AT, '>=', startOf(from))
  if (to) query = query.where(DATED_AT, '<', later(startOf(to), DAY_MS))
  if (overdue === true) query = query.where('status', '=', 'open').where('dueAt', '<', now)
  if (overdue !== undefined) query = query.where(isLate(now), '=', sql.lit(overdue))
  if (disputed !== undefined) query = query.where('disputed', '=', sql.lit(disputed))
  if (evidenceConflict !== undefined) {
    query = query.where('evidenceConflict', '=', sql.lit(evidenceConflict))
  }
  if (gatewayId) query = query.where(paidThrough(tenantId, gatewayId))
  if (q) query = query.where(await named(db, tenantId, q))
  return query
}

/** Whether a gateway received a payment for the invoice. */
function paidThrough(tenantId: string, gatewayId: string) {
  return sql<boolean>`id in (select part.invoice_id from billing.payment_allocations as part
    join billing.payments as payment
      on payment.tenant_id = part.tenant_id and payment.id = part.payment_id
    where payment.tenant_id = ${tenantId} and payment.gateway_id = ${gatewayId})`
}

/**
 * Whether a text is a prefix of the invoice's number, or of a word of its customer's name or address. With few such
 * customers their invoices are read; with many, the invoices in the order of the list, which soon meets enough of them.
 */
async function named(db: Db, tenantId: string, q: string) {
  const numbers = [q, q.toUpperCase()].map((it) => begins(sql`number`, it))
  const customers = await db
    .selectFrom('users.search_terms as found')
    .select('found.userId')
    .where('found.tenantId', '=', tenantId)
    .where(termBegins(sql`found.term`, q))
    .limit(FEW_CUSTOMERS + 1)
    .execute()
  const theirs =
    customers.length > FEW_CUSTOMERS
      ? sql`exists (select from users.search_terms as found
          where found.tenant_id = ${tenantId} and found.user_id = invoices.user_id
            and ${termBegins(sql`found.term`, q)} offset 0)`
      : sql`user_id = any(${customers.map(({ userId }) => userId)}::uuid[])`
  return sql<boolean>`(${sql.join([...numbers, theirs], sql` or `)})`
}

const FEW_CUSTOMERS = 1000

/** The number of unpaid top-ups that a customer began since an instant. */
export async function countUnpaidTopUps(
  db: Db,
  { tenantId, userId }: { tenantId: string; userId: string },
  since: Instant,
): Promise<number> {
  const { count } = await db
    .selectFrom('billing.invoices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('kind', '=', 'top_up')
    .where('createdAt', '>', since)
    .where('paidCents', '=', cents(0))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Orders of every tenant that waited for payment longer than their tenant allows, oldest first; without those that have
 * a payment under way.
 */
export function listAbandoned(
  db: Db,
  { now, section, unpaidHours }: { now: Instant; section: string; unpaidHours: number },
  limit: number,
) {
  // An order that staff placed waits longer: until its invoice is due.
  const waited = sql<Instant>`greatest(invoice.due_at, invoice.created_at
    + make_interval(hours => coalesce((setting.values ->> 'unpaidHours')::int, ${unpaidHours})))`
  return db
    .selectFrom('billing.invoices as invoice')
    .leftJoin('tenants.settings as setting', (join) =>
      join.onRef('setting.tenantId', '=', 'invoice.tenantId').on('setting.section', '=', section),
    )
    .select(['invoice.tenantId', 'invoice.id'])
    .where('invoice.status', '=', 'open')
    .where('invoice.kind', 'in', ['checkout', 'upgrade', 'top_up'])
    .where('invoice.paidCents', '=', cents(0))
    .where(waited, '<=', now)
    .where((it) =>
      it.not(
        it.exists(
          it
            .selectFrom('billing.attempt_invoices as part')
            .innerJoin('billing.payment_attempts as attempt', (join) =>
              join
                .onRef('attempt.tenantId', '=', 'part.tenantId')
                .onRef('attempt.id', '=', 'part.attemptId'),
            )
            .select('part.attemptId')
            .whereRef('part.tenantId', '=', 'invoice.tenantId')
            .whereRef('part.invoiceId', '=', 'invoice.id')
            .where('attempt.state', '=', 'processing'),
        ),
      ),
    )
    .orderBy('invoice.createdAt')
    .limit(limit)
    .execute()
}
