import { sql } from 'kysely'
import type { Tx } from '#platform/database/index.ts'
import type { ImportKey } from '../staging/writer.ts'

/**
 * A client whose address has an account here is that account's user, if the user has confirmed the address. Otherwise
 * anybody could take over another person's services by registering the address here first.
 */
export async function meetAccounts(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await sql`
    update imports.staged_clients as target
    set outcome = case when account.email_verified_at is null then 'skipped' else 'merged' end,
        reason = case when account.email_verified_at is null
          then 'address_not_confirmed' else 'account_exists' end,
        target_id = account.id
    from users.users as account
    where target.tenant_id = ${tenantId} and target.import_id = ${id} and target.outcome is null
      and account.tenant_id = ${tenantId} and account.email = target.login
  `.execute(tx)
  await sql`
    update imports.staged_clients as target
    set outcome = 'skipped', reason = 'address_not_confirmed', survivor = null
    from imports.staged_clients as first
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and first.tenant_id = ${tenantId} and first.import_id = ${id}
      and first.source_id = target.survivor and first.reason = 'address_not_confirmed'
  `.execute(tx)
}

/** If logins are separate from clients, the login of a client is that of its first owner. */
export async function settleLogins(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await sql`
    with owners as (
      select distinct on (link.client) link.client, login.email, login.password, login.confirmed,
        login.second_factor
      from imports.staged_login_clients as link
      join imports.staged_logins as login
        on login.tenant_id = link.tenant_id and login.import_id = link.import_id
        and login.source_id = link.login and login.outcome is null
      where link.tenant_id = ${tenantId} and link.import_id = ${id} and link.owner
        and link.outcome is null
      order by link.client, link.source_id
    ), apart as (
      select exists (select from imports.staged_logins
        where tenant_id = ${tenantId} and import_id = ${id}) as logins
    ), settled as (
      select client.row_number, lower(btrim(coalesce(owners.email, client.email), ${BLANK})) as login,
        case when apart.logins then owners.password else client.password end as password,
        case when owners.email is null then client.confirmed else owners.confirmed end as confirmed,
        case when owners.email is null then client.second_factor else owners.second_factor end
          as second_factor
      from imports.staged_clients as client
      cross join apart
      left join owners on owners.client = client.source_id
      where client.tenant_id = ${tenantId} and client.import_id = ${id}
    )
    update imports.staged_clients as target
    set login = settled.login, password = settled.password, confirmed = settled.confirmed,
      second_factor = settled.second_factor
    from settled
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = settled.row_number
  `.execute(tx)
}

const BLANK = ' \t\n\r\v\f'
const ADDRESS = `^[^\\s@<>"']+@[^\\s@]+\\.[^\\s@]+$`

/** One email address is one person: the client with the lowest id stays, the others are merged into it. */
export async function mergeClients(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await sql`
    with judged as (
      select row_number, source_id, outcome,
        login ~ ${ADDRESS} and length(login) <= 254 as reachable,
        min(source_id) filter (where outcome is null) over (partition by login) as first
      from imports.staged_clients
      where tenant_id = ${tenantId} and import_id = ${id}
    )
    update imports.staged_clients as target
    set survivor = case when judged.reachable then judged.first end,
        outcome = case when not judged.reachable then 'skipped'
          when judged.first <> target.source_id then 'merged' end,
        reason = case when not judged.reachable then 'invalid_email'
          when judged.first <> target.source_id then 'duplicate_email' end
    from judged
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = judged.row_number and judged.outcome is null
  `.execute(tx)
}
