import { sql } from 'kysely'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import { LEGAL_KINDS, type LegalKind } from './schema.ts'

export type LegalTextRow = Row<'tenants.legal_texts'>
type LegalTextKey = Pick<LegalTextRow, 'tenantId' | 'kind'>

export function insertLegalText(tx: Tx, row: LegalTextRow): Promise<LegalTextRow> {
  return tx
    .insertInto('tenants.legal_texts')
    .values({ ...row, texts: json(row.texts) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A version of a text; without a number, the newest version. */
export function findLegalText(
  db: Db,
  { tenantId, kind }: LegalTextKey,
  version?: number,
): Promise<LegalTextRow | undefined> {
  return db
    .selectFrom('tenants.legal_texts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('kind', '=', kind)
    .$if(version !== undefined, (it) => it.where('version', '=', version ?? 0))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest version of each kind that a tenant has published. */
export async function findLegalVersions(
  db: Db,
  tenantId: string,
): Promise<ReadonlyMap<LegalKind, number>> {
  const rows = await db
    .selectFrom(
      sql<{ kind: LegalKind }>`unnest(${[...LEGAL_KINDS]}::text[])`.as<'wanted'>(
        sql`wanted (kind)`,
      ),
    )
    .innerJoinLateral(
      (it) =>
        it
          .selectFrom('tenants.legal_texts as text')
          .select('text.version')
          .where('text.tenantId', '=', tenantId)
          .whereRef('text.kind', '=', 'wanted.kind')
          .orderBy('text.version', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .select(['wanted.kind', 'newest.version'])
    .execute()
  return new Map(rows.map(({ kind, version }) => [kind, version]))
}

export function listLegalTexts(
  db: Db,
  { tenantId, kind }: { tenantId: string; kind: LegalKind | undefined },
  page: PageQuery,
) {
  const query = db
    .selectFrom('tenants.legal_texts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .$if(kind !== undefined, (it) => it.where('kind', '=', kind ?? 'terms'))
  return pageOf(query, page)
}
