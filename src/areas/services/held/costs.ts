import { type InvoiceRow, listInvoicesById, partsOfAll } from '#billing'
import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { TaxTreatment } from '#lib/tax.ts'
import type { Db } from '#platform/database/index.ts'
import { listUnits } from '../operators/queries.ts'
import type { ServiceRow } from '../queries.ts'
import type { PeriodRow } from '../renewals/queries.ts'
import { chargesPeriod, partOf } from '../shares.ts'
import type { ChangePart, MadeChange } from '../upgrades/queries.ts'
import { refundedOf } from './queries.ts'
import { type Amount, refundedParts, refundedShares } from './rules.ts'

type Line = Awaited<ReturnType<typeof partsOfAll>>['lines'][number]

/** An amount charged, and how much of it was refunded or credited other than by a change or a termination. */
export type Cost = { readonly charged: Amount; readonly refunded: Amount }

/** The part of an invoice line for the service, its tax, and whether it charges a period: of the plan, or of a component. */
export type LineCost = Cost & {
  readonly tax: SoldTax
  readonly isPeriod: boolean
  readonly component: string | null
}
export type SoldTax = Pick<TaxTreatment, 'category' | 'rateBasisPoints' | 'country'>

/** A cost for one of the periods of a change. */
export type PartCost = Cost & {
  readonly part: Part
  /** The amount credited for it on other invoices, tax included. */
  readonly givenBackCents: Cents
}

type Part = Pick<ChangePart, 'startsAt' | 'endsAt' | 'creditCents' | 'chargeCents' | 'components'>

/** The invoices of a service, and what each charged for it. */
export type Costs = {
  readonly invoiceOf: (invoiceId: string | null) => InvoiceRow | undefined
  /** The amount that an invoice charged for the service, by line. */
  readonly ofInvoice: (invoice: InvoiceRow) => LineCost[]
  /** The amounts that a change charged and credited for each of its periods. */
  readonly ofChange: (change: MadeChange, parts: readonly Part[]) => PartCost[]
}

const NOTHING: Amount = { netCents: cents(0), totalCents: cents(0) }

/** Reads the amounts that the invoices of periods and changes charged for a service, and refunds of them (R4.9). */
export async function costsOf(
  db: Db,
  service: ServiceRow,
  rows: readonly Pick<PeriodRow | MadeChange, 'invoiceId'>[],
): Promise<Costs> {
  const { tenantId, id } = service
  const invoiceIds = [...new Set(rows.flatMap(({ invoiceId }) => invoiceId ?? []))]
  const found = await listInvoicesById(db, tenantId, invoiceIds)
  const { lines } = await partsOfAll(db, tenantId, invoiceIds)
  // Imported invoices are not refunded by documents of this shop, and their lines may exclude tax.
  const invoices = new Map(found.filter(({ imported }) => !imported).map((it) => [it.id, it]))
  const linesOf = Map.groupBy(lines, ({ invoiceId }) => invoiceId)
  const units = await listUnits(db, tenantId, [id])
  const refunds = await refundedOf(db, tenantId, found)

  const invoiceOf = (invoiceId: string | null) => invoices.get(invoiceId ?? '')
  const ofInvoice = (invoice: InvoiceRow): LineCost[] => {
    const all = linesOf.get(invoice.id) ?? []
    const amounts = all.map(amountOf)
    const shares = refundedShares(refunds.get(invoice.id) ?? cents(0), amounts)
    const own = all.filter((line) => partOf(service, line, line.totalCents, units) !== undefined)
    return all.flatMap((line, index) => {
      const of = (amountCents: Cents) => partOf(service, line, amountCents, units)
      const charged = partOfAmount(amounts[index] ?? NOTHING, of)
      const refunded = partOfAmount(shares[index] ?? NOTHING, of)
      const { taxCategory: category, rateBasisPoints, taxCountry: country, component } = line
      const tax = { category, rateBasisPoints, country }
      const isPeriod = chargesPeriod(line, own)
      return charged && refunded ? [{ charged, refunded, tax, isPeriod, component }] : []
    })
  }
  const ofChange = (change: MadeChange, parts: readonly Part[]) => {
    const invoice = invoiceOf(change.invoiceId)
    const lines = invoice?.status === 'paid' ? ofInvoice(invoice) : null
    // A change of options stores the component of each line, except for fees.
    const named = lines?.filter(({ component }) => component !== null) ?? []
    return partCosts(change, parts, named.length > 0 ? named : lines)
  }
  return { invoiceOf, ofInvoice, ofChange }
}

/** Allocates the amount of the invoice of a change, and its refunds, to its periods. */
function partCosts(
  { creditCents }: MadeChange,
  parts: readonly Part[],
  lines: readonly Cost[] | null,
): PartCost[] {
  const isApart = lines !== null && (creditCents ?? 0) > 0
  const charges = parts.map((it) => it.chargeCents - (isApart ? 0 : it.creditCents))
  const credits = parts.map((it) => it.creditCents - (isApart ? 0 : it.chargeCents))
  const refunded = totalOf((lines ?? []).map((it) => it.refunded))
  const { totalCents } = totalOf((lines ?? []).map((it) => it.charged))
  const totals = spread(lines ? totalCents : 0, charges)
  const backs = spread(creditCents ?? 0, credits)
  const how = { creditedApart: isApart }
  const refundedNets = refundedParts(refunded.netCents, parts, how)
  const refundedTotals = refundedParts(refunded.totalCents, parts, how)
  return parts.map((part, index) => ({
    part,
    charged: {
      netCents: cents(part.chargeCents - part.creditCents),
      totalCents: totals[index] ?? cents(0),
    },
    refunded: {
      netCents: refundedNets[index] ?? cents(0),
      totalCents: refundedTotals[index] ?? cents(0),
    },
    givenBackCents: backs[index] ?? cents(0),
  }))
}

function spread(amountCents: number, weights: readonly number[]): Cents[] {
  const whole = sumCents(weights)
  return weights.map((weight) => (whole > 0 ? portion(amountCents, weight, whole) : cents(0)))
}

export function totalOf(amounts: readonly Amount[]): Amount {
  return {
    netCents: sumCents(amounts.map(({ netCents }) => netCents)),
    totalCents: sumCents(amounts.map(({ totalCents }) => totalCents)),
  }
}

function partOfAmount(
  amount: Amount,
  of: (amountCents: Cents) => Cents | undefined,
): Amount | undefined {
  const [netCents, totalCents] = [of(amount.netCents), of(amount.totalCents)]
  return netCents === undefined || totalCents === undefined ? undefined : { netCents, totalCents }
}

function amountOf({ subtotalCents, discountCents, totalCents }: Line): Amount {
  return { netCents: cents(subtotalCents - discountCents), totalCents }
}
