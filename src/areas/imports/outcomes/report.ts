import type { Db } from '#platform/database/index.ts'
import { WEEKS } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'
import { type Material, tableOf } from './material.ts'
import { countFailed, listWarnings } from './notes.ts'
import {
  countOutcomes,
  countPasswords,
  countPlans,
  type OutcomeCount,
  REPORTED,
  regardlessOfStatus,
  type Sum,
  type Sums,
  sumCredit,
} from './totals.ts'

type Outcome = 'imported' | 'merged' | 'skipped' | 'failed'
export type ResourceReport = Record<Outcome | 'read', number> & {
  table: string
  reasons: { code: string; outcome: string; count: number; rows: { id: string }[] }[]
}
type Amounts = Record<string, number | string>
type ByCurrency = Record<string, Amounts>
export type Control = Record<'source' | 'imported' | 'skipped' | 'failed', ByCurrency>

/** The report for an accountant: every row and every cent of the dump, and its outcome. */
export type Report = {
  source: {
    system: string
    version: string | null
    prefix: string
    taxMode: 'exclusive' | 'inclusive'
    /** Of prices of its catalogue, if that differs. */
    catalogTaxMode?: 'exclusive' | 'inclusive'
    /** Whether the old system charged any tax at all. */
    taxed: boolean
    timeZone: 'UTC'
    charset: { declared: string | null; used: string }
  }
  resources: Record<string, ResourceReport>
  controls: Record<string, Control>
  statuses: Record<string, Record<string, ByCurrency>>
  plans: { cycle: string; plans: number; prices: number }[]
  passwords: Record<string, number>
  warnings: { code: string; table: string; count: number; rows: string[] }[]
  tables: { table: string; rows: number; use: string; sumsCents?: Record<string, string> }[]
  statementsIgnored: { count: number; kinds: Record<string, number> }
  /** Tables of the system that are not in the dump. */
  missingTables: string[]
  actionsNeeded: string[]
  /** Parts of the report that do not add up; empty if the import is reconciled. */
  differences: string[]
}

/** Puts the report together from the staged rows and their sums. */
export async function reportOn(
  db: Db,
  key: ImportKey,
  { sums, ...material }: Material & { readonly sums: Sums },
): Promise<Report> {
  const { source, prefix, findings } = material
  const described = source.describe(findings.settings)
  const { version, taxMode, catalogTaxMode, taxed = true } = described
  const failed = await countFailed(db, key)
  const resources: Report['resources'] = {}
  const controls: Report['controls'] = {}
  const differences: string[] = []
  for (const reported of REPORTED) {
    const table = tableOf(source, reported.resource)
    if (!table) continue
    const counts = await countOutcomes(db, key, reported.resource)
    const read = material.tables.get(prefix + table) ?? 0
    const summary = summaryOf(table, read, counts, failed.get(table) ?? [])
    resources[reported.name] = summary
    const { imported, merged, skipped, failed: lost } = summary
    if (imported + merged + skipped + lost !== read) differences.push(`${reported.name}: rows`)
    const added = sums.get(reported.name)
    if (added) controls[reported.name] = controlOf(added)
  }
  // If balances are rows of their own, they are reported like other rows.
  if (resources.users && !tableOf(source, 'balances')) {
    const credit = await sumCredit(db, key)
    controls.creditBalances = controlOf(credit)
    resources.creditBalances = creditSummary(resources.users)
  }
  const warnings = await listWarnings(db, key)
  const passwords = await countPasswords(db, key)
  return {
    source: {
      ...{ system: source.system, version, taxMode, taxed, prefix, timeZone: 'UTC' },
      ...(catalogTaxMode && { catalogTaxMode }),
      charset: material.charset,
    },
    resources,
    controls,
    statuses: statusesOf(sums),
    plans: (await countPlans(db, key)).map(({ months, pays, plans, prices }) => ({
      ...{ cycle: pays === 'recurring' ? cycleNamed(months ?? 0) : pays, plans, prices },
    })),
    passwords: Object.fromEntries(passwords.map(({ form, count }) => [form, count])),
    warnings,
    tables: tablesOf(material),
    statementsIgnored: ignored(material),
    missingTables: Object.keys(source.tables).filter((name) => !material.tables.has(prefix + name)),
    actionsNeeded: actionsFor(warnings, resources),
    differences,
  }
}

function cycleNamed(months: number): string {
  return months > WEEKS ? `${months - WEEKS} weeks` : `${months} months`
}

function summaryOf(
  table: string,
  read: number,
  counts: readonly OutcomeCount[],
  unread: ResourceReport['reasons'],
): ResourceReport {
  const summary: ResourceReport = {
    ...{ table, read, imported: 0, merged: 0, skipped: 0, failed: 0, reasons: [...unread] },
  }
  for (const { count } of unread) summary.failed += count
  for (const { outcome, reason, count, ids } of counts) {
    summary[outcome as Outcome] += count
    if (reason) {
      summary.reasons.push({ code: reason, outcome, count, rows: ids.map((id) => ({ id })) })
    }
  }
  return summary
}

/** The balance of a merged client is imported; that of a client who is left out is not. */
function creditSummary({ reasons, ...users }: ResourceReport): ResourceReport {
  return {
    ...users,
    imported: users.imported + users.merged,
    merged: 0,
    reasons: reasons
      .filter(({ outcome }) => outcome !== 'merged')
      .map((it) => (it.code === 'invalid_email' ? { ...it, code: 'client_not_imported' } : it)),
  }
}

function controlOf(sums: readonly Sum[]): Control {
  const control: Control = { source: {}, imported: {}, skipped: {}, failed: {} }
  const exact = { source: {}, imported: {}, skipped: {}, failed: {} } as Record<
    keyof Control,
    Record<string, Record<string, bigint>>
  >
  for (const { currency, decimals, outcome, count, amounts } of regardlessOfStatus(sums)) {
    for (const part of ['source', outcome as keyof Control] as const) {
      const cell = exact[part][currency] ?? {}
      exact[part][currency] = cell
      cell.count = (cell.count ?? 0n) + BigInt(count)
      for (const [name, hundredths] of Object.entries(amounts)) {
        cell[name] = (cell[name] ?? 0n) + smallestUnits(hundredths, decimals)
      }
    }
  }
  for (const part of ['source', 'imported', 'skipped', 'failed'] as const) {
    for (const [currency, cell] of Object.entries(exact[part])) {
      control[part][currency] = Object.fromEntries(
        Object.entries(cell).map(([name, value]) => [name, exactly(value)]),
      )
    }
  }
  return control
}

/** Converts hundredths of a currency to its smallest unit: a hundred of them are one yen. */
export function smallestUnits(amount: bigint, decimals: number | null): bigint {
  if (decimals === null || decimals === 2) return amount
  return decimals < 2 ? amount / 10n ** BigInt(2 - decimals) : amount * 10n ** BigInt(decimals - 2)
}

/** Sums that a number cannot represent exactly are written as text. */
function exactly(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

function statusesOf(sums: Sums): Report['statuses'] {
  const statuses: Report['statuses'] = {}
  for (const reported of REPORTED) {
    for (const [place, name] of Object.keys(reported.statuses ?? {}).entries()) {
      const groups = Map.groupBy(sums.get(reported.name) ?? [], (it) => String(it.statuses[place]))
      statuses[name] = Object.fromEntries(
        [...groups].map(([status, rows]) => [status, controlOf(rows).source]),
      )
    }
  }
  return statuses
}

function tablesOf({ tables, source, prefix, findings }: Material): Report['tables'] {
  return [...tables].map(([name, rows]) => {
    const own = name.startsWith(prefix) ? name.slice(prefix.length) : name
    const become = Object.hasOwn(source.tables, own) ? source.tables[own] : undefined
    const sums = findings.sums.get(own)
    return {
      ...{ table: name, rows, use: become && 'resource' in become ? 'read' : 'not_imported' },
      ...(sums && {
        sumsCents: Object.fromEntries([...sums].map(([column, sum]) => [column, String(sum)])),
      }),
    }
  })
}

function ignored({ statements }: Material): Report['statementsIgnored'] {
  const count = [...statements.values()].reduce((sum, it) => sum + it, 0)
  return { count, kinds: Object.fromEntries(statements) }
}

function actionsFor(warnings: Report['warnings'], resources: Report['resources']): string[] {
  const counted = (wanted: string) => warnings.find(({ code }) => code === wanted)?.count ?? 0
  const [resets, exempt] = [counted('password_reset_required'), counted('tax_exempt')]
  const [factors, untaxed] = [counted('second_factor_lost'), counted('untaxed_product')]
  const people = resources.users?.imported ?? 0
  const undated = counted('no_due_date')
  const subscribed = counted('subscription_elsewhere')
  const pending = counted('pending_order')
  const massPaid = counted('mass_payment')
  const effects = counted('effect_not_imported')
  const renewing = counted('renews_here')
  const differing =
    resources.invoices?.reasons.find(({ code }) => code === 'document_changed')?.count ?? 0
  return [
    ...(renewing > 0
      ? [
          `${renewing} invoices were issued there for services that renew here: write them off, and stop invoicing there.`,
        ]
      : []),
    ...(differing > 0
      ? [`${differing} open invoices have other amounts there than here: correct them by hand.`]
      : []),
    ...(undated > 0
      ? [`${undated} running services have no due date and will not renew: set one, or end them.`]
      : []),
    ...(subscribed > 0
      ? [
          `${subscribed} services are charged by a subscription at a payment provider: end it there.`,
        ]
      : []),
    ...(pending > 0 ? [`${pending} services were ordered and not delivered: check them.`] : []),
    ...(effects > 0
      ? [
          `${effects} options decided about servers there, by their name: give them their effect here before you sell them.`,
        ]
      : []),
    ...(massPaid > 0
      ? [
          `${massPaid} invoices pay several others at once: their amounts count twice in the totals.`,
        ]
      : []),
    ...(resources.taxRates?.imported
      ? ['All imported tax rates are archived: enter those that count here.']
      : []),
    ...(resets > 0 ? [`${resets} people must reset their password.`] : []),
    ...(factors > 0
      ? [`${factors} people had a second factor, which is encrypted there: they set up a new one.`]
      : []),
    ...(untaxed > 0
      ? [
          `${untaxed} products were sold without tax there: here the tax rules decide. Check their prices.`,
        ]
      : []),
    ...(exempt > 0
      ? [
          `${exempt} people paid no tax there by a mark of their own: here the tax rules decide. Check them.`,
        ]
      : []),
    ...(people > 0
      ? ['Payment methods must be registered again: what the old system encrypted cannot be read.']
      : []),
    ...(resources.services?.imported
      ? ['Passwords of services must be reset: they are encrypted with a key that is in no dump.']
      : []),
  ]
}
