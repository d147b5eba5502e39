import { type Detail, detailIn } from '#lib/problem.ts'
import { type EggRow, listEggsByIds, type Provisioning } from '#panel'
import type { Db, Tx } from '#platform/database/index.ts'
import { listProductsByIds } from '../products/queries.ts'
import { assertRequirements, assertTogether, optionInvalid } from './checks.ts'
import { effectFaults, isBrokenFor, type Target } from './effect-faults.ts'
import { optionsOf, optionsOfGroup } from './queries.ts'
import type { Chosen, OptionTerms } from './terms.ts'

type Delivered = { readonly id: string; readonly provisioning: Provisioning | null }

/** What options of products are checked against, by product; those without servers are left out. */
async function targetsOf(
  db: Db,
  tenantId: string,
  products: readonly Delivered[],
): Promise<Map<string, Target>> {
  const eggIds = new Set(products.flatMap(({ provisioning }) => provisioning?.eggId ?? []))
  const rows = eggIds.size > 0 ? await listEggsByIds(db, tenantId, [...eggIds]) : []
  const eggs = new Map(rows.map((egg) => [egg.id, egg]))
  return new Map(
    products.flatMap(({ id, provisioning }) =>
      provisioning ? [[id, { provisioning, egg: eggs.get(provisioning.eggId) }] as const] : [],
    ),
  )
}

/**
 * Throws for what a change of a group or of its options broke: 409 `option_twice`; 422 for requirements, and for
 * effects that servers of a product cannot have (S1.8). Runs after the change, in its transaction.
 */
export async function assertOffered(
  tx: Tx,
  { tenantId, groupId }: { tenantId: string; groupId: string },
  productIds: readonly string[],
): Promise<void> {
  const own = await optionsOfGroup(tx, { tenantId, groupId })
  assertRequirements(own)
  const products = await listProductsByIds(tx, tenantId, productIds)
  if (products.length === 0) return
  const all = await optionsOf(tx, tenantId, productIds)
  const targets = await targetsOf(tx, tenantId, products)
  for (const { id, name } of products) {
    assertTogether(name, openAmong(all.get(id) ?? []))
    const target = targets.get(id)
    const faults = target ? own.flatMap((option) => effectFaults(option, target)) : []
    if (faults.length > 0) throw optionInvalid(faults.map((it) => inProduct(name, it)))
  }
}

/** Throws 409 `option_twice`, or 422, if a product that is offered again would have options that cannot be combined. */
export async function assertTogetherWith(
  tx: Tx,
  tenantId: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const all = await optionsOf(tx, tenantId, [id])
  assertTogether(name, openAmong(all.get(id) ?? []))
}

function inProduct(name: string, fault: Detail): Detail {
  const { message, ...rest } = detailIn('en', fault)
  return { ...rest, message: `${message} (${name})` }
}

function openAmong<O extends OptionTerms>(options: readonly O[]): O[] {
  return options.filter(({ archivedAt }) => archivedAt === null)
}

/** What the options of products break on their servers now, in the order of the products (S1.9). */
export async function offeredFaults(
  db: Db,
  tenantId: string,
  products: readonly Delivered[],
): Promise<Detail[][]> {
  const ids = products.map(({ id }) => id)
  const all = await optionsOf(db, tenantId, ids)
  if (all.size === 0) return products.map(() => [])
  const targets = await targetsOf(db, tenantId, products)
  return products.map(({ id }) => {
    const target = targets.get(id)
    return target ? openAmong(all.get(id) ?? []).flatMap((it) => effectFaults(it, target)) : []
  })
}

/** Which choices of a product its egg refuses now: they are no longer on sale. */
export function brokenIn(
  provisioning: Provisioning | null,
  egg: EggRow | undefined,
): (chosen: Chosen) => boolean {
  return provisioning ? isBrokenFor({ provisioning, egg }) : () => false
}
