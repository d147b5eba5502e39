import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { idsByFormerId } from '#imports'
import { isId } from '#lib/id.ts'
import type { Db } from '#platform/database/index.ts'
import { termBegins, wordsOf } from '#platform/search.ts'
import { SERVICE_STATUS_IN_SQL } from '#services'
import { type Hit, hit, MOST_HITS, type Wanted } from './hits.ts'

/** The most matches that a search reads, so that a common word costs no more than a rare one. */
const MOST_LOOKED_AT = 300

const TERM = sql<string>`found.term`

/**
 * The ids of people, or of services, with a term that begins with the whole text, or with terms that
 * begin with each of its words. They are selected as an array, so that the rows are then read by primary key.
 */
function idsBy(
  table: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  { tenantId, q }: Wanted,
): RawBuilder<unknown> {
  const words = wordsOf(q)
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const whole = sql`(select found.${id} from ${table} as found
    where found.tenant_id = ${tenantId} and ${termBegins(TERM, q)} limit ${MOST_LOOKED_AT})`
  if (words.length < 2) return whole
  const others = words.filter((it) => it !== longest)
  const each = others.map(
    (word): RawBuilder<SqlBool> => sql<SqlBool>`exists (select from ${table} as other
      where other.tenant_id = ${tenantId} and other.${id} = found.${id}
        and ${termBegins(sql<string>`other.term`, word)})`,
  )
  const all = sql.join([termBegins(TERM, longest), ...each], sql` and `)
  return sql`(${whole} union (select found.${id} from ${table} as found
    where found.tenant_id = ${tenantId} and ${all} limit ${MOST_LOOKED_AT}))`
}

const PEOPLE = sql`users.search_terms`
const USER_ID = sql.ref('user_id')

/**
 * People by their name, address, company or id, in our database or in the system they were imported from; those with a
 * deleted account are left out.
 */
export async function findPeople(db: Db, wanted: Wanted): Promise<Hit[]> {
  const { tenantId, q } = wanted
  if (wordsOf(q).length === 0) return []
  const email = q.toLowerCase()
  const former = idsByFormerId('clients', wanted)
  const rows = await db
    .selectFrom('users.users')
    .select(['id', 'name', 'email', 'company', 'suspendedAt', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('email', '=', email),
        ...(isId(q) ? [eb('id', '=', q)] : []),
        sql<SqlBool>`id = any(array${idsBy(PEOPLE, USER_ID, wanted)})`,
        ...(former ? [sql<SqlBool>`id = any(array${former})`] : []),
      ]),
    )
    .orderBy(sql`email = ${email}`, 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ id, name, email: detail, suspendedAt, createdAt }) =>
    hit({
      ...{ id, title: name, detail, userId: id, customerName: name, createdAt },
      status: suspendedAt ? 'suspended' : 'active',
      exact: id === q || detail === email,
    }),
  )
}

/** Companies of people, by the words of their names. */
export async function findCompanies(db: Db, wanted: Wanted): Promise<Hit[]> {
  const { tenantId, q } = wanted
  if (wordsOf(q).length === 0) return []
  const rows = await db
    .selectFrom('users.users')
    .select(['id', 'name', 'company', 'vatNumber', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .where(sql<SqlBool>`id = any(array${idsBy(PEOPLE, USER_ID, wanted)})`)
    .where(
      sql<SqlBool>`exists (select from platform.search_terms(array[company]) as term
        where ${termBegins(sql<string>`term`, q)})`,
    )
    .orderBy('id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ id, name, company, vatNumber, createdAt }) =>
    hit({
      ...{ id, title: company ?? name, detail: vatNumber, userId: id },
      ...{ customerName: name, createdAt },
    }),
  )
}

const SERVICES = sql`services.search_terms`
const SERVICE_ID = sql.ref('service_id')

/**
 * Services by their name, address or any of their ids: in our database, on the panel and in the system they were
 * imported from.
 */
export async function findServices(db: Db, wanted: Wanted): Promise<Hit[]> {
  const { tenantId, q } = wanted
  if (wordsOf(q).length === 0) return []
  const former = idsByFormerId('services', wanted)
  const rows = await db
    .selectFrom('services.services as service')
    .innerJoin('users.users as customer', (join) =>
      join
        .onRef('customer.tenantId', '=', 'service.tenantId')
        .onRef('customer.id', '=', 'service.userId'),
    )
    .select(['service.id', 'service.name', 'service.address', 'service.identifier'])
    .select(['service.externalId', 'service.userId', 'service.createdAt'])
    .select(['customer.name as customerName'])
    .select(SERVICE_STATUS_IN_SQL.as('status'))
    .where('service.tenantId', '=', tenantId)
    .where(({ or, eb }) =>
      or([
        ...(isId(q) ? [eb('service.id', '=', q)] : []),
        sql<SqlBool>`service.id = any(array${idsBy(SERVICES, SERVICE_ID, wanted)})`,
        ...(former ? [sql<SqlBool>`service.id = any(array${former})`] : []),
      ]),
    )
    .orderBy(sql`service.ended_at is null`, 'desc')
    .orderBy('service.id', 'desc')
    .limit(MOST_HITS)
    .execute()
  return rows.map(({ identifier, externalId, address, name, ...row }) =>
    hit({
      ...{ ...row, title: name, detail: address },
      exact: [row.id, identifier, externalId, address].includes(q),
    }),
  )
}
