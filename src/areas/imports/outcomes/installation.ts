import { CompiledQuery } from 'kysely'
import type { Tx } from '#platform/database/index.ts'
import { DumpFault } from '../dump/fault.ts'
import type { Source } from '../sources/source.ts'
import type { ImportKey } from '../staging/writer.ts'
import { tableOf } from './material.ts'

type Dump = { readonly source: Source; readonly installation: string | null }

/** What is known of the customers whose numbers were imported before. */
type Known = {
  /** How many of them are in the dump, and how many of these belong to other people now. */
  known: number
  strangers: number
  /** How many have a creation time on both sides, and for how many it is the same. */
  dated: number
  same: number
}

/**
 * Throws a DumpFault for a dump of a different installation than an earlier import: rows are matched by their
 * ids, and the same ids belong to other people there. An installation that has moved to another URL is
 * recognised by its customers: by their names and addresses, and by when they were created, which never changes.
 */
export async function assertSameInstallation(
  tx: Tx,
  key: ImportKey,
  { source, installation }: Dump,
): Promise<void> {
  const before = await lastImported(tx, key, source)
  if (!before) return
  const { known, strangers, dated, same } = await countKnown(tx, key, source)
  if (strangers * 2 > known) {
    const detail = `Of ${known} customers whose numbers were imported before, ${strangers} have another name and address in this dump.`
    throw DumpFault.of('other_installation', detail)
  }
  if (same * 2 < dated) {
    const detail = `Of ${dated} customers whose numbers were imported before, ${dated - same} were created at another time in this dump.`
    throw DumpFault.of('other_installation', detail)
  }
  if (known > 0) return
  const { installation: last, people } = before
  if (last !== null && installation !== null) {
    if (last === installation) return
    throw DumpFault.of('other_installation', `It was ${last}; this one is ${installation}.`)
  }
  if (people > 0) {
    const detail = `None of the ${people} customers that were imported before is in this dump.`
    throw DumpFault.of('other_installation', detail)
  }
}

type Before = { installation: string | null; people: number }

/** The newest written import of a system, and how many customers were imported from it; undefined if there is none. */
async function lastImported(
  tx: Tx,
  { tenantId, id }: ImportKey,
  source: Source,
): Promise<Before | undefined> {
  const { rows } = await tx.executeQuery<Before>(
    CompiledQuery.raw(
      `select installation, (select count(*)::integer from imports.origins as person
         join users.users as account on account.tenant_id = $1 and account.id = person.target_id
           and account.deleted_at is null
         where person.tenant_id = $1 and person.system = $3 and person.source_table = $4) as people
       from imports.imports as before
       where tenant_id = $1 and id <> $2 and not dry_run and report -> 'source' ->> 'system' = $3
         and exists (select from imports.origins as origin
           where origin.tenant_id = $1 and origin.import_id = before.id)
       order by id desc limit 1`,
      [tenantId, id, source.system, tableOf(source, 'clients') ?? ''],
    ),
  )
  return rows[0]
}

/** Tools write times in different time zones, which differ by quarters of an hour and at most this many seconds. */
const ZONES_SECONDS = 26 * 3600

/** Whether a row and its account were created at the same time. Accounts without a hash had been here before. */
const IS_DATED = `client.created_at is not null and origin.source_hash is not null`
const APART = `abs(extract(epoch from client.created_at - account.created_at))::bigint`
/** Days without a time are in no time zone. */
const IS_SAME = `case when client.created_at = date_trunc('day', client.created_at, 'UTC')
  then client.created_at = account.created_at
  else ${APART} <= ${ZONES_SECONDS} and ${APART} % 900 = 0 end`

/** Compares the staged clients whose ids were imported before with their accounts here. */
async function countKnown(tx: Tx, { tenantId, id }: ImportKey, source: Source): Promise<Known> {
  const { rows } = await tx.executeQuery<Known>(
    CompiledQuery.raw(
      `select count(*)::integer as known, (count(*) filter (where not (
           account.email in (coalesce(lower(btrim(client.email)), ''), coalesce(lower(btrim(login.email)), ''))
           or coalesce(lower(btrim(client.name)), '') = lower(btrim(account.name))
           or (${IS_DATED} and ${IS_SAME}
             and client.created_at <> date_trunc('day', client.created_at, 'UTC')))))::integer
           as strangers,
         (count(*) filter (where ${IS_DATED}))::integer as dated,
         (count(*) filter (where ${IS_DATED} and ${IS_SAME}))::integer as same
       from imports.staged_clients as client
       join imports.origins as origin on origin.tenant_id = $1 and origin.system = $3
         and origin.source_table = $4 and origin.source_id = client.source_id
       join users.users as account on account.tenant_id = $1 and account.id = origin.target_id
         and account.deleted_at is null
       left join (
         select distinct on (link.client) link.client, owner.email
         from imports.staged_login_clients as link
         join imports.staged_logins as owner on owner.tenant_id = $1 and owner.import_id = $2
           and owner.source_id = link.login
         where link.tenant_id = $1 and link.import_id = $2 and link.owner
         order by link.client, link.source_id
       ) as login on login.client = client.source_id
       where client.tenant_id = $1 and client.import_id = $2`,
      [tenantId, id, source.system, tableOf(source, 'clients') ?? ''],
    ),
  )
  return rows[0] ?? { known: 0, strangers: 0, dated: 0, same: 0 }
}
