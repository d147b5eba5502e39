import { CompiledQuery } from 'kysely'
import type { Tx } from '#platform/database/index.ts'
import { DumpFault } from '../dump/fault.ts'
import type { Source } from '../sources/source.ts'
import type { ImportKey } from '../staging/writer.ts'
import { tableOf } from './material.ts'

type Dump = { readonly source: Source; readonly installation: string | null }

/**
 * Throws a DumpFault for a dump of a different installation than an earlier import: rows are matched by their
 * ids, and the same ids belong to other people there. An installation that has moved to another URL is
 * recognised by its customers.
 */
export async function assertSameInstallation(
  tx: Tx,
  key: ImportKey,
  { source, installation }: Dump,
): Promise<void> {
  const before = await lastImported(tx, key, source.system)
  if (!before) return
  const { known, strangers } = await countKnown(tx, key, source)
  if (strangers * 2 > known) {
    const detail = `Of ${known} customers whose numbers were imported before, ${strangers} have another name and address in this dump.`
    throw DumpFault.of('other_installation', detail)
  }
  const { installation: last } = before
  const isElsewhere = last !== null && installation !== null && last !== installation
  if (isElsewhere && known === 0) {
    throw DumpFault.of('other_installation', `It was ${last}; this one is ${installation}.`)
  }
}

/** The newest written import of a system; undefined if there is none. */
async function lastImported(
  tx: Tx,
  { tenantId, id }: ImportKey,
  system: string,
): Promise<{ installation: string | null } | undefined> {
  const { rows } = await tx.executeQuery<{ installation: string | null }>(
    CompiledQuery.raw(
      `select installation from imports.imports as before
       where tenant_id = $1 and id <> $2 and not dry_run and report -> 'source' ->> 'system' = $3
         and exists (select from imports.origins as origin
           where origin.tenant_id = $1 and origin.import_id = before.id)
       order by id desc limit 1`,
      [tenantId, id, system],
    ),
  )
  return rows[0]
}

/** How many ids of staged clients were imported before, and how many of them belong to other people now. */
async function countKnown(
  tx: Tx,
  { tenantId, id }: ImportKey,
  source: Source,
): Promise<{ known: number; strangers: number }> {
  const { rows } = await tx.executeQuery<{ known: number; strangers: number }>(
    CompiledQuery.raw(
      `select count(*)::integer as known, (count(*) filter (where not (
           account.email in (coalesce(lower(btrim(client.email)), ''), coalesce(lower(btrim(login.email)), ''))
           or coalesce(lower(btrim(client.name)), '') = lower(btrim(account.name)))))::integer
           as strangers
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
  return rows[0] ?? { known: 0, strangers: 0 }
}
