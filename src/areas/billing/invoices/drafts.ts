import { isCurrency } from '#lib/currency.ts'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { badRequest, notFound, Problem, unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Instant, instant, later } from '#lib/time.ts'
import { type Db, json, type Tx } from '#platform/database/index.ts'
import { findProduct, priceFor } from '#store'
import { sellerOf, settingsOf } from '#tenants'
import { findUser } from '#users'
import { referenceOf } from '../gateways/bank-transfer/reference.ts'
import { assertOwnDocument } from '../imported/rules.ts'
import { billingSettings } from '../settings.ts'
import { contentOf, issue, settle } from './actions.ts'
import { type InvoiceDocument, rowsOf } from './document.ts'
import {
  deleteDraft,
  deleteParts,
  type InvoiceKey,
  type InvoiceParts,
  type InvoiceRow,
  insertInvoice,
  insertParts,
  lockInvoice,
  rewriteDraft,
} from './queries.ts'
import { assertDraft, assertIssuable, statusAfter } from './rules.ts'
import type { DraftChange, DraftLine, NewDraft } from './schema.ts'

const KIND = 'manual'

type StoredLine = NonNullable<InvoiceRow['draftLines']>[number]
type Priceable = Pick<InvoiceRow, 'tenantId' | 'userId' | 'currency' | 'draftLines'>

/**
 * Creates an invoice that only administrators see, without a number; it may have no lines. Throws 404 for an
 * unknown customer, 400 for an unknown product, currency or series, 422 for a period that ends before it starts.
 */
export async function createDraft(
  tx: Tx,
  tenantId: string,
  { userId, ...wanted }: NewDraft,
  now: Instant,
): Promise<InvoiceRow> {
  const user = await findUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('User')
  const { currency = (await sellerOf(tx, tenantId)).currency, series = null, dueAt } = wanted
  await assertDraftable(tx, tenantId, { ...wanted, currency, series })
  const draftLines = (wanted.lines ?? []).map(storedLine)
  const document = await documentOfDraft(tx, { tenantId, userId, currency, draftLines }, now)
  const id = newId()
  const draft = await insertInvoice(tx, {
    ...{ tenantId, id, userId, kind: KIND, reference: null, status: 'draft', number: null },
    ...(await contentOf(tx, { tenantId, userId, kind: KIND, document })),
    draftLines: json(draftLines),
    ...{ series, contentHash: null, note: null, voidReason: null },
    transferReference: referenceOf(id),
    ...{ createdAt: now, issuedAt: null, dueAt: dueAt ? instant(dueAt) : null },
    ...{ paidAt: null, voidedAt: null, writtenOffAt: null },
  })
  await insertParts(tx, rowsOf(document, { tenantId, invoiceId: id }))
  return draft
}

/**
 * Changes a draft; lines are replaced as a whole. Throws 404, 409 once it was issued, otherwise as
 * `createDraft`.
 */
export async function changeDraft(
  tx: Tx,
  key: InvoiceKey,
  { lines, dueAt, ...change }: DraftChange,
  now: Instant,
): Promise<InvoiceRow> {
  const draft = await lockInvoice(tx, key)
  if (!draft) throw notFound('Invoice')
  assertDraft(draft)
  assertOwnDocument(draft)
  const { currency = draft.currency, series = draft.series } = change
  await assertDraftable(tx, key.tenantId, { lines, currency, series })
  const draftLines = lines?.map(storedLine) ?? draft.draftLines
  const document = await documentOfDraft(tx, { ...draft, currency, draftLines }, now)
  return rewrite(tx, draft, document, {
    ...{ draftLines: json(draftLines ?? []), series },
    ...(dueAt !== undefined && { dueAt: dueAt && instant(dueAt) }),
  })
}

/** Deletes a draft. Throws 404, or 409 for an invoice that was issued: that one is voided. */
export async function removeDraft(tx: Tx, key: InvoiceKey) {
  const draft = await lockInvoice(tx, key)
  if (!draft) throw notFound('Invoice')
  assertDraft(draft)
  await deleteDraft(tx, key)
  return { id: key.invoiceId, deleted: true }
}

/**
 * Issues a draft: priced and taxed as of now, frozen, and numbered and owed unless the tenant numbers with the
 * first payment (R3.2, R3.4). A total of 0 is paid at once (R3.9). Throws 404, 409 for an invoice that is not a
 * draft, 422 without lines.
 */
export async function issueDraft(tx: Tx, key: InvoiceKey, now: Instant): Promise<InvoiceRow> {
  const draft = await lockInvoice(tx, key)
  if (!draft) throw notFound('Invoice')
  const status = statusAfter(draft, 'issue')
  assertOwnDocument(draft)
  const document = await documentOfDraft(tx, draft, now)
  const { totalCents, lines } = document
  assertIssuable({ lineCount: lines.length, totalCents })
  const dueAt = draft.dueAt ?? (await dueFrom(tx, key.tenantId, now))
  const opened = await rewrite(tx, draft, document, {
    ...{ status, dueAt: dueAt < now ? now : dueAt },
  })
  const issued = await issue(tx, opened, now)
  return totalCents === 0 ? settle(tx, issued, cents(0), now) : issued
}

/**
 * A draft as it would be issued now: prices, tax rates and the customer may have changed since it was written
 * (R2.7). Any other invoice, and a draft that cannot be priced now, is returned as it is stored.
 */
export async function asOfNow(
  db: Db,
  row: InvoiceRow,
  parts: InvoiceParts,
  now: Instant,
): Promise<{ row: InvoiceRow; parts: InvoiceParts }> {
  if (row.status !== 'draft' || row.imported) return { row, parts }
  const { tenantId, id: invoiceId } = row
  try {
    const { lines, taxes, ...document } = await documentOfDraft(db, row, now)
    const { subtotalCents, discountCents, netCents, taxCents, totalCents, priceMode } = document
    const fresh = rowsOf({ ...document, lines, taxes }, { tenantId, invoiceId })
    const ids = parts.lines.filter((line) => line.invoiceId === invoiceId).map(({ id }) => id)
    const amounts = { subtotalCents, discountCents, netCents, taxCents, totalCents, priceMode }
    return {
      row: { ...row, ...amounts },
      parts: {
        lines: fresh.lines.map((line, index) => ({ ...line, id: ids[index] ?? line.id })),
        taxes: fresh.taxes,
      },
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { row, parts }
  }
}

async function rewrite(
  tx: Tx,
  draft: InvoiceRow,
  document: InvoiceDocument,
  changes: Parameters<typeof rewriteDraft>[2],
): Promise<InvoiceRow> {
  const { tenantId, id: invoiceId, userId } = draft
  await deleteParts(tx, { tenantId, invoiceId })
  await insertParts(tx, rowsOf(document, { tenantId, invoiceId }))
  const content = await contentOf(tx, { tenantId, userId, kind: KIND, document })
  return rewriteDraft(tx, draft, { ...content, ...changes })
}

/** The lines of an administrator's invoice at the prices of a given time (R2.7). */
export async function documentOfDraft(
  db: Db,
  { tenantId, userId, currency, draftLines }: Priceable,
  at: Instant,
): Promise<InvoiceDocument> {
  const lines = (draftLines ?? []).map((line) => ({
    ...{ description: line.description, productId: line.productId, quantity: line.quantity },
    unitPriceCents: cents(line.unitPriceCents),
    periodStart: line.periodStart === null ? null : instant(line.periodStart),
    periodEnd: line.periodEnd === null ? null : instant(line.periodEnd),
    ...{ setupFee: false, categoryId: null, planId: null, interval: null },
  }))
  return priceFor(db, { tenantId, userId, currency, lines }, at)
}

function storedLine({ description, unitPriceCents, ...line }: DraftLine): StoredLine {
  const { quantity = 1, productId = null } = line
  const [periodStart, periodEnd] = [line.periodStart ?? null, line.periodEnd ?? null].map(
    (at) => at && instant(at),
  )
  return {
    ...{ description, quantity, unitPriceCents, productId },
    ...{ periodStart: periodStart ?? null, periodEnd: periodEnd ?? null },
  }
}

type Draftable = { lines?: DraftChange['lines']; currency: string; series: string | null }

async function assertDraftable(
  tx: Tx,
  tenantId: string,
  { lines = [], currency, series }: Draftable,
): Promise<void> {
  if (!isCurrency(currency)) {
    throw unknown('currency')
  }
  const { invoiceSeries, moreSeries } = await settingsOf(tx, tenantId, billingSettings)
  if (series !== null && series !== invoiceSeries && !moreSeries.includes(series)) {
    throw unknown('series')
  }
  for (const [index, { productId, periodStart, periodEnd }] of lines.entries()) {
    if (productId && !(await findProduct(tx, { tenantId, id: productId }))) {
      throw unknown(`lines.${index}.productId`)
    }
    if (periodStart && periodEnd && instant(periodEnd) <= instant(periodStart)) {
      throw unprocessable('A period ends after it starts.', 'period_invalid')
    }
  }
}

function unknown(path: string): Problem {
  return badRequest(`${path} does not exist.`, [{ path, message: 'does not exist' }])
}

async function dueFrom(tx: Tx, tenantId: string, now: Instant): Promise<Instant> {
  const { paymentDays } = await settingsOf(tx, tenantId, billingSettings)
  return later(now, paymentDays * DAY_MS)
}
