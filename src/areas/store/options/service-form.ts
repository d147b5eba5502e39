import type { Instant } from '#lib/time.ts'
import { listEggsByIds, type Provisioning } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { totalsFor } from '../catalog/rules.ts'
import type { Selected, Terms } from '../components/rules.ts'
import { taxContextFor } from '../tax.ts'
import { formOptionsOf } from './form.ts'
import { brokenIn } from './offer.ts'
import { optionsNamed, optionsOf } from './queries.ts'
import type { FormOption } from './schema.ts'

type Asked = {
  readonly tenantId: string
  readonly userId: string
  readonly product: {
    readonly id: string
    readonly provisioning: Provisioning | null
    readonly taxRateId: string | null
  }
  readonly terms: Terms
  readonly kept: readonly Selected[]
  /** Staff are shown hidden options, too. */
  readonly isStaff: boolean
  /** The language of the reader; null for the original texts. */
  readonly locale: string | null
}

/** The options that a service may have, as a form for its owner, and the keys of the values that it has. */
export async function serviceFormOf(
  db: Db,
  { tenantId, userId, product, terms, kept, isStaff, locale }: Asked,
  now: Instant,
): Promise<{ options: FormOption[]; valueKeys: Map<string, string> }> {
  const { id, provisioning, taxRateId } = product
  const offered = (await optionsOf(db, tenantId, [id])).get(id) ?? []
  const ids = kept.flatMap(({ kind, sourceId }) => (kind === 'option' ? [sourceId] : []))
  const known = ids.length > 0 ? await optionsNamed(db, tenantId, ids) : []
  const [egg] = provisioning ? await listEggsByIds(db, tenantId, [provisioning.eggId]) : []
  const context = await taxContextFor(db, { tenantId, userId, taxRateIds: [taxRateId], at: now })
  const asked = isStaff ? offered.map((it) => ({ ...it, hidden: false })) : offered
  const options = formOptionsOf(asked, {
    sold: [terms],
    totalOf: totalsFor(context, taxRateId),
    isBroken: brokenIn(provisioning, egg),
    locale,
  })
  const values = [...known, ...offered].flatMap((it) => it.values)
  return { options, valueKeys: new Map(values.map((it) => [it.id, it.key])) }
}
