import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { compiled } from '#platform/database/compiled.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { TaxRateVersion } from './decision.ts'
import type { TaxRateRow, Version } from './rules.ts'

export type TaxRateKey = Pick<TaxRateRow, 'tenantId' | 'id'>
type PlainRow = Row<'store.tax_rates'>

function selectTaxRates(db: Db, tenantId: string) {
  return db
    .selectFrom('store.tax_rates as rate')
    .selectAll('rate')
    .select(
      sql<Version[]>`(
        select jsonb_agg(jsonb_build_object(
          'rateBasisPoints', rate_basis_points, 'validFrom', valid_from, 'validTo', valid_to
        ) order by valid_from)
        from store.tax_rate_versions
        where tenant_id = rate.tenant_id and tax_rate_id = rate.id
      )`.as('versions'),
    )
    .where('rate.tenantId', '=', tenantId)
    .where('rate.archivedAt', 'is', null)
}

export function findTaxRate(db: Db, { tenantId, id }: TaxRateKey) {
  return selectTaxRates(db, tenantId).where('rate.id', '=', id).executeTakeFirst()
}

export function lockTaxRate(tx: Tx, { tenantId, id }: TaxRateKey) {
  return selectTaxRates(tx, tenantId).where('rate.id', '=', id).forUpdate('rate').executeTakeFirst()
}

export function listTaxRates(
  db: Db,
  { tenantId, country }: { tenantId: string; country?: string },
  page: PageQuery,
) {
  const query = selectTaxRates(db, tenantId)
  return pageOf(country ? query.where('rate.country', '=', country) : query, page, 'rate.id')
}

/** The tenant's rates of a class, always locked in the same order. */
export function lockTaxRatesOf(tx: Tx, tenantId: string, taxClass: string) {
  return selectTaxRates(tx, tenantId)
    .where('rate.class', '=', taxClass)
    .orderBy('rate.id')
    .forUpdate('rate')
    .execute()
}

export async function insertTaxRate(tx: Tx, rate: Omit<PlainRow, 'archivedAt'>): Promise<void> {
  await tx.insertInto('store.tax_rates').values(rate).execute()
}

type Change = Partial<Pick<PlainRow, 'name' | 'country' | 'class' | 'category'>>

export async function updateTaxRate(tx: Tx, { tenantId, id }: TaxRateKey, change: Change) {
  await tx
    .updateTable('store.tax_rates')
    .set({ id, ...change })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

type VersionsOf = Pick<PlainRow, 'tenantId' | 'id' | 'country' | 'class'> & {
  versions: readonly Version[]
}

/** Replaces the versions of a rate. */
export async function replaceVersions(tx: Tx, rate: VersionsOf): Promise<void> {
  const { tenantId, id: taxRateId, country, class: taxClass, versions } = rate
  await tx
    .deleteFrom('store.tax_rate_versions')
    .where('tenantId', '=', tenantId)
    .where('taxRateId', '=', taxRateId)
    .execute()
  await tx
    .insertInto('store.tax_rate_versions')
    .values(versions.map((it) => ({ ...it, tenantId, taxRateId, country, class: taxClass })))
    .execute()
}

/** Archives a rate: it stays for what refers to it, and conflicts with no other rate. */
export async function archiveTaxRate(tx: Tx, { tenantId, id }: TaxRateKey, now: Instant) {
  await tx
    .updateTable('store.tax_rate_versions')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('taxRateId', '=', id)
    .execute()
  return tx
    .updateTable('store.tax_rates')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
}

type Wanted = { countries: readonly string[]; taxRateIds: readonly string[] }

const versionsFor = compiled<Wanted & { tenantId: string }, TaxRateVersion>(
  (db, { tenantId, countries, taxRateIds }) =>
    db
      .selectFrom('store.tax_rate_versions as version')
      .innerJoin('store.tax_rates as rate', (join) =>
        join
          .onRef('rate.tenantId', '=', 'version.tenantId')
          .onRef('rate.id', '=', 'version.taxRateId'),
      )
      .select(['rate.id', 'rate.country', 'rate.class', 'rate.category'])
      .select(['version.rateBasisPoints', 'version.validFrom', 'version.validTo'])
      .where('version.tenantId', '=', tenantId)
      .where('version.archivedAt', 'is', null)
      .where((it) =>
        it.or([
          it('version.country', '=', sql<string>`any(${countries}::text[])`),
          it('version.taxRateId', '=', sql<string>`any(${taxRateIds}::uuid[])`),
        ]),
      ),
)

/** The versions in use that a sale in these countries, or of products with these rates, may need. */
export function listVersions(
  db: Db,
  tenantId: string,
  { countries, taxRateIds }: Wanted,
): Promise<TaxRateVersion[]> {
  return versionsFor(db, { tenantId, countries, taxRateIds })
}
