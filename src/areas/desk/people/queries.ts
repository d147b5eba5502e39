import { type SqlBool, sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'
import { type ListQuery, listOf } from '#platform/page.ts'
import { wordsOrWhole, wordsWithin } from '#platform/search.ts'
import { USER_COLUMNS } from '#users'

type Filters = {
  search?: string
  status?: 'active' | 'suspended' | 'deleted'
  roleId?: string
  country?: string
  verified?: boolean
  withServices?: boolean
}

/** The people of a tenant; deleted people only on request. */
export async function listCustomers(db: Db, tenantId: string, query: ListQuery & Filters) {
  const { search, status, roleId, country, verified, withServices, ...page } = query
  let people = db
    .selectFrom('users.users as person')
    .select(USER_COLUMNS)
    .where('tenantId', '=', tenantId)
    .where('deletedAt', status === 'deleted' ? 'is not' : 'is', null)
  if (status === 'active') people = people.where('suspendedAt', 'is', null)
  if (status === 'suspended') people = people.where('suspendedAt', 'is not', null)
  if (country) people = people.where('country', '=', country)
  if (verified !== undefined) {
    people = people.where('emailVerifiedAt', verified ? 'is not' : 'is', null)
  }
  if (withServices !== undefined) {
    const owns = sql<SqlBool>`exists (select from services.services as service
      where service.tenant_id = ${tenantId} and service.user_id = person.id
        and service.ended_at is null)`
    people = people.where(withServices ? owns : sql<SqlBool>`not ${owns}`)
  }
  if (roleId) people = people.where(holds(tenantId, roleId))
  if (search !== undefined) {
    const terms = { table: sql`users.search_terms`, id: sql`user_id`, of: sql`person.id` }
    people = people.where(await wordsWithin(db, { tenantId, words: wordsOrWhole(search) }, terms))
  }
  return listOf(db, people, page, 'person.id')
}

function holds(tenantId: string, roleId: string) {
  return sql<SqlBool>`person.id in (
    select user_id from rbac.user_roles where tenant_id = ${tenantId} and role_id = ${roleId}
    union select member.user_id from rbac.group_members as member
      join rbac.group_roles as granted
        on granted.tenant_id = member.tenant_id and granted.group_id = member.group_id
      where member.tenant_id = ${tenantId} and granted.role_id = ${roleId})`
}

type Sum = { userId: string; currency: string; cents: Cents }

export type CustomerFacts = {
  userId: string
  activeServices: number
  failed: boolean
  overdue: boolean
  lastSeenAt: Instant | null
}

/** Services and last session of people, and whether they have a problem. */
export function listFacts(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  now: Instant,
): Promise<CustomerFacts[]> {
  return read(db, FACTS, [tenantId, ids, now])
}

const FACTS = `
  select person.id as "userId",
    (select count(*)::integer from services.services as service
      where service.tenant_id = $1 and service.user_id = person.id
        and service.activated_at is not null and service.suspended_at is null
        and service.ended_at is null) as "activeServices",
    exists (select from services.services as service
      where service.tenant_id = $1 and service.user_id = person.id
        and service.failed_at is not null and service.activated_at is null
        and service.ended_at is null) as failed,
    exists (select from billing.invoices as invoice
      where invoice.tenant_id = $1 and invoice.user_id = person.id and invoice.status = 'open'
        and invoice.number is not null and invoice.due_at < $3) as overdue,
    (select max(session.refreshed_at) from users.sessions as session
      where session.tenant_id = $1 and session.user_id = person.id
        and session.impersonator_id is null) as "lastSeenAt"
  from unnest($2::uuid[]) as person (id)`

/** Credit, debt and monthly revenue of people, by person and currency. */
export async function listSums(db: Db, tenantId: string, ids: readonly string[]) {
  const [credit, due, monthly] = await Promise.all([
    read<Sum>(db, CREDIT, [tenantId, ids]),
    read<Sum>(db, DUE, [tenantId, ids]),
    read<Sum>(db, MONTHLY, [tenantId, ids]),
  ])
  return { credit, due, monthly }
}

const CREDIT = `
  select account.owner_id as "userId", balance.currency, (-balance.balance_cents)::bigint as cents
  from ledger.accounts as account
  join ledger.balances as balance
    on balance.tenant_id = account.tenant_id and balance.account_id = account.id
  where account.tenant_id = $1 and account.owner_id = any($2::uuid[])
    and account.code = 'credit:' || account.owner_id and balance.balance_cents <> 0
  order by 2`

const DUE = `
  select user_id as "userId", currency, sum(total_cents - credited_cents
    - (paid_cents - refunded_cents - reversed_cents))::bigint as cents
  from billing.invoices
  where tenant_id = $1 and user_id = any($2::uuid[]) and status = 'open' and number is not null
    and kind <> 'top_up'
  group by user_id, currency
  order by currency`

const MONTHLY = `
  select noted.user_id as "userId", noted.currency, sum(noted.change_cents)::bigint as cents
  from services.services as service
  join services.recurring as noted
    on noted.tenant_id = service.tenant_id and noted.service_id = service.id
  where service.tenant_id = $1 and service.user_id = any($2::uuid[])
  group by noted.user_id, noted.currency
  having sum(noted.change_cents) <> 0
  order by 2`
