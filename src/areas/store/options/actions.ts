import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { listLocationsAmong } from '#panel'
import type { Tx } from '#platform/database/index.ts'
import { lockOffer } from '#tenants'
import { refusingDouble, unknownReference } from '../checks.ts'
import { findOpenGroup, productIdsOf } from '../option-groups/queries.ts'
import { assertTerms } from './checks.ts'
import { assertOffered } from './offer.ts'
import {
  archiveOptionRow,
  deletePrices,
  findOpenOption,
  findOption,
  insertOption,
  insertPrices,
  type OptionKey,
  type OptionRow,
  replaceTiers,
  tierIdsOf,
  updateOption,
  type ValueRow,
  writeValues,
} from './queries.ts'
import type { NewOption, NewPrice, NewValue, OptionChange } from './schema.ts'
import type { OptionTerms, OptionValue, PriceRow } from './terms.ts'

const TAKEN = {
  constraint: 'options_key',
  code: 'option_key_taken' as const,
  message: 'The group has an option with this key.',
}

/**
 * Adds an option to a group. 400 for unknown ids, 409 `option_key_taken` and `option_twice`, 422 for terms that
 * contradict each other or that servers of a product of the group cannot have.
 */
export async function createOption(
  tx: Tx,
  { tenantId }: { tenantId: string },
  { groupId, key, kind, ...given }: NewOption,
  now: Instant,
): Promise<OptionRow> {
  await lockOffer(tx, tenantId)
  if (!(await findOpenGroup(tx, { tenantId, id: groupId }))) throw unknownReference('groupId')
  const id = newId()
  const start = {
    ...unset(kind),
    id,
    tenantId,
    groupId,
    key,
    kind,
    createdAt: now,
    archivedAt: null,
  }
  const option = changed({ ...start, name: given.name, position: given.position ?? 0 }, given, now)
  await assertSound(tx, tenantId, option, [])
  await refusingDouble(TAKEN, insertOption(tx, columnsOf(option)))
  await writeInside(tx, option, { values: [], isRepriced: true, hasNewTiers: true })
  return offered(tx, option)
}

/** Changes an option for new orders; services keep what they have. 404, and as `createOption`. */
export async function changeOption(
  tx: Tx,
  key: OptionKey,
  change: OptionChange,
  now: Instant,
): Promise<OptionRow> {
  const { tenantId } = key
  await lockOffer(tx, tenantId)
  const before = await findOpenOption(tx, key)
  if (!before) throw notFound('Option')
  const option = changed(before, change, now)
  await assertSound(tx, tenantId, option, before.values)
  await updateOption(tx, key, columnsOf(option))
  const hasNewTiers = change.tiers !== undefined || change.priceMode !== undefined
  const isRepriced = hasNewTiers || change.prices !== undefined
  await writeInside(tx, option, { values: before.values, isRepriced, hasNewTiers })
  return offered(tx, option)
}

/** Ends the sale of an option; services keep it. 404, and 422 if another option requires it. */
export async function archiveOption(tx: Tx, key: OptionKey, now: Instant) {
  const { tenantId } = key
  await lockOffer(tx, tenantId)
  const option = await findOpenOption(tx, key)
  if (!option || !(await archiveOptionRow(tx, key, now))) throw notFound('Option')
  await offered(tx, option)
  return { id: key.id, deleted: true }
}

/**
 * Offers an archived option again; one that is not archived stays as it is. 404, 409 while its group is archived, and
 * as `createOption`.
 */
export async function restoreOption(tx: Tx, key: OptionKey): Promise<OptionRow> {
  const { tenantId } = key
  await lockOffer(tx, tenantId)
  const option = await findOption(tx, key)
  if (!option) throw notFound('Option')
  if (!(await findOpenGroup(tx, { tenantId, id: option.groupId }))) {
    throw conflict('The group of this option is archived. Restore the group first.')
  }
  await refusingDouble(TAKEN, updateOption(tx, key, { archivedAt: null }))
  return offered(tx, option)
}

/** Returns an option that was just written, after checking its group with it. */
async function offered(tx: Tx, { tenantId, groupId, id }: OptionRow): Promise<OptionRow> {
  const productIds = await productIdsOf(tx, tenantId, [groupId])
  await assertOffered(tx, { tenantId, groupId }, productIds.get(groupId) ?? [])
  const option = await findOption(tx, { tenantId, id })
  if (!option) throw notFound('Option')
  return option
}

type Fields = Omit<OptionRow, 'tenantId' | 'id' | 'groupId' | 'key' | 'kind' | 'name' | 'createdAt'>

function unset(kind: OptionTerms['kind']): Omit<Fields, 'position'> {
  const isQuantity = kind === 'quantity'
  return {
    ...{ description: null, required: false, hidden: false, trial: true, unit: null },
    ...(isQuantity
      ? { min: 0, max: 100, step: 1, display: 'slider', priceMode: 'per_unit' }
      : { min: null, max: null, step: null, display: null, priceMode: null }),
    maxLength: kind === 'text' ? 200 : null,
    ...{ pattern: null, effect: null, values: [], prices: [], archivedAt: null, translations: {} },
    tiers: isQuantity ? [{ upTo: null }] : [],
  }
}

/** An option with a change: values that it does not name are archived. */
function changed(
  before: OptionRow,
  { values, tiers, prices, ...fields }: OptionChange,
  now: Instant,
): OptionRow {
  const listed = values ?? (before.values.length === 0 ? [] : undefined)
  return {
    ...before,
    ...fields,
    values: listed ? changedValues(before, listed, now) : before.values,
    tiers: tiers ?? before.tiers,
    prices: prices ? prices.map(completed) : before.prices,
  }
}

function changedValues(
  { kind, values: before }: OptionRow,
  listed: readonly NewValue[],
  now: Instant,
): OptionValue[] {
  const named = listed.map(({ key }) => key)
  const missing = kind === 'toggle' ? TOGGLE.filter(({ key }) => !named.includes(key)) : []
  const all = [...listed, ...missing]
  const kept = all.map((value) =>
    listedValue(
      value,
      before.find(({ key }) => key === value.key),
    ),
  )
  const left = before.filter(({ key }) => !all.some((it) => it.key === key))
  return [...kept, ...left.map((it) => ({ ...it, archivedAt: it.archivedAt ?? now }))]
}

const TOGGLE = [
  { key: 'off', label: 'Off' },
  { key: 'on', label: 'On' },
]

/** A value as it is listed; fields that are not given stay as they were. */
function listedValue(
  { key, label, default: isDefault = false, ...given }: NewValue,
  before: OptionValue | undefined,
): OptionValue {
  return {
    ...{ stock: null, stockReturns: true, locationIds: [], requires: [], effect: null },
    ...before,
    ...given,
    ...{ id: before?.id ?? newId(), key, label, isDefault, archivedAt: null },
  }
}

function completed({ interval, currency, priceCents, ...rest }: NewPrice): PriceRow {
  const { value = null, tier = null, intervalCount = 1 } = rest
  const { feeCents = cents(0), priceMicros = null } = rest
  return { value, tier, interval, intervalCount, currency, priceCents, feeCents, priceMicros }
}

/**
 * Throws 422 for terms that contradict each other, 400 for values or locations that are named twice or do not exist.
 */
async function assertSound(
  tx: Tx,
  tenantId: string,
  option: OptionRow,
  before: readonly OptionValue[],
): Promise<void> {
  const keys = option.values.map(({ key }) => key)
  if (new Set(keys).size < keys.length) throw unknownReference('values')
  assertTerms(option)
  const known = new Set(before.flatMap(({ locationIds }) => locationIds))
  const named = [...new Set(option.values.flatMap(({ locationIds }) => locationIds))]
  const added = named.filter((id) => !known.has(id))
  const found = added.length > 0 ? await listLocationsAmong(tx, tenantId, added) : []
  if (found.filter(({ archivedAt }) => archivedAt === null).length < added.length) {
    throw unknownReference('values.locationIds')
  }
}

function columnsOf({ values: _, tiers: __, prices: ___, ...columns }: OptionRow) {
  return columns
}

type Before = {
  readonly values: readonly OptionValue[]
  readonly isRepriced: boolean
  readonly hasNewTiers: boolean
}

/** Writes the values, tiers and prices of an option. */
async function writeInside(
  tx: Tx,
  option: OptionRow,
  { values: before, isRepriced, hasNewTiers }: Before,
): Promise<void> {
  const { tenantId, id } = option
  const known = new Set(before.map((it) => it.id))
  const rows = option.values.map((it, position) => valueRow(option, it, position))
  await writeValues(tx, {
    changed: rows.filter((it) => known.has(it.id)),
    added: rows.filter((it) => !known.has(it.id)),
  })
  if (!isRepriced) return
  const old = await tierIdsOf(tx, option)
  await deletePrices(tx, tenantId, [id, ...rows.map((it) => it.id), ...old])
  const tiers = hasNewTiers ? option.tiers.map((it) => ({ ...it, id: newId() })) : null
  if (tiers) await replaceTiers(tx, option, tiers)
  await writePrices(tx, option, tiers?.map((it) => it.id) ?? old)
}

function valueRow(
  { tenantId, id: optionId }: OptionKey,
  { id, key, label, isDefault, stock, stockReturns, ...rest }: OptionValue,
  position: number,
): ValueRow {
  const { locationIds, requires, effect, archivedAt } = rest
  return {
    ...{ tenantId, id, optionId, key, label, position, isDefault, stock, stockReturns },
    ...{ locationIds: [...locationIds], effect, archivedAt },
    requires: requires.map((it) => ({ key: it.key, values: [...it.values] })),
  }
}

async function writePrices(
  tx: Tx,
  { tenantId, id, values, prices }: OptionRow,
  tierIds: readonly string[],
): Promise<void> {
  const ids = new Map(values.map((it) => [it.key, it.id]))
  const rows = prices.map(({ value, tier, ...price }) => {
    const kind = value !== null ? 'value' : tier !== null ? 'tier' : 'option'
    const pricedId = value !== null ? ids.get(value) : tier !== null ? tierIds[tier] : id
    return { tenantId, kind, pricedId: pricedId ?? id, ...price } as const
  })
  await insertPrices(tx, rows)
}
