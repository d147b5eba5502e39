import { findInvoice, type InvoiceRow } from '#billing'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import type { ServiceRow } from '../queries.ts'
import {
  listPeriods,
  listPeriodsOfInvoice,
  listUnpaid,
  type PeriodRow,
} from '../renewals/queries.ts'
import { isBilled } from '../renewals/terms.ts'
import { serviceSettings } from '../settings.ts'
import { importedShareOf, linesFor } from '../shares.ts'
import { listMadeChanges, type MadeChange } from '../upgrades/queries.ts'
import { paidTimesOf, timeAfter } from './paid.ts'
import type { LeavingFacts, UnpaidTime, Way } from './rules.ts'

/** An unpaid period or debt of a service that ends, with its invoice if that is open. */
export type Unpaid = UnpaidTime & {
  readonly row: PeriodRow
  readonly invoice: InvoiceRow | undefined
  /** Whether other services still owe the same invoice. */
  readonly isShared: boolean
  /** Whether its invoice is paid; the period is marked as paid soon after. */
  readonly isPaid: boolean
}

export type FactsRead = Omit<LeavingFacts, 'unpaid'> & { readonly unpaid: readonly Unpaid[] }

/** Reads everything that decides what is owed and returned when a locked service ends at an instant. */
export async function leavingFactsOf(
  tx: Tx,
  service: ServiceRow,
  { way, at }: { way: Way; at: Instant },
): Promise<FactsRead> {
  const settings = await settingsOf(tx, service.tenantId, serviceSettings)
  const { activatedAt, suspendedAt, serverLostAt, immediateStart } = service
  const metered =
    service.interval === 'hour' && isBilled(service)
      ? { anchor: service.anchorAt, cycle: service, invoicedTo: service.invoicedTo }
      : null
  const changes = await listMadeChanges(tx, service)
  return {
    ...{ way, at, metered, immediateStart },
    use: { activatedAt, suspendedAt, serverLostAt },
    unpaid: (await unpaidOf(tx, service, changes)).filter(({ isPaid }) => !isPaid),
    paid: await paidTimesOf(tx, service, changes),
    creditOnCancel: settings.creditOnCancel,
    writeOffUnpaid: settings.unpaidRenewal === 'write_off',
  }
}

/** The periods and debts of a service that nobody has paid, oldest first. */
export async function unpaidOf(
  tx: Tx,
  service: ServiceRow,
  made?: readonly MadeChange[],
): Promise<Unpaid[]> {
  const changes = made ?? (await listMadeChanges(tx, service))
  const periods = await listPeriods(tx, service)
  const unpaid: Unpaid[] = []
  for (const row of await listUnpaid(tx, service)) {
    const { id, startsAt: start, endsAt: end } = row
    const found = await invoiceOf(tx, row)
    const invoice = found?.status === 'open' ? found : undefined
    const isPaid = found?.status === 'paid'
    const shareCents = invoice ? await shareOf(tx, service, invoice) : cents(0)
    const isShared = invoice !== undefined && (await isOwedByOthers(tx, row, invoice))
    const period = row.isDebt ? timeOfDebt(row, periods, changes) : { start, end }
    unpaid.push({ id, period, shareCents, row, invoice, isShared, isPaid })
  }
  return unpaid
}

/** The time that the invoice of a change was for; null for what was sold for good. */
function timeOfDebt(
  { invoiceId }: PeriodRow,
  periods: readonly PeriodRow[],
  changes: readonly MadeChange[],
): UnpaidTime['period'] {
  const paidAt = changes.find((it) => it.invoiceId === invoiceId)?.paidAt
  if (!paidAt) return null
  const sold = periods.filter(({ freePriceCents }) => freePriceCents === null)
  const last = timeAfter(paidAt, sold).at(-1) ?? timeAfter(paidAt, periods).at(-1)
  return last ? { start: paidAt, end: last.endsAt } : null
}

/** What an invoice asks for one service, at most what is left of it. */
async function shareOf(tx: Tx, service: ServiceRow, invoice: InvoiceRow): Promise<Cents> {
  const share = invoice.imported
    ? await importedShareOf(tx, service, invoice)
    : sumCents(await linesFor(tx, service, invoice))
  return cents(Math.min(share, invoice.totalCents - invoice.creditedCents))
}

async function isOwedByOthers(
  tx: Tx,
  { tenantId, serviceId }: PeriodRow,
  { id: invoiceId }: InvoiceRow,
): Promise<boolean> {
  const periods = await listPeriodsOfInvoice(tx, { tenantId, invoiceId })
  return periods.some((it) => it.serviceId !== serviceId && it.paidAt === null)
}

async function invoiceOf(
  tx: Tx,
  { tenantId, invoiceId }: Pick<PeriodRow, 'tenantId' | 'invoiceId'>,
): Promise<InvoiceRow | undefined> {
  return invoiceId ? findInvoice(tx, { tenantId, invoiceId }) : undefined
}
