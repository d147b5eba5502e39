import { newId } from '#lib/id.ts'
import type { Database } from './database/index.ts'

/** How long after a process died, or lost the database, another one takes over its work. */
export const LEASE_SECONDS = 30

const RETRY_SECONDS = 15

/** Scheduled work that this process may do until it releases it. */
export type Lease = { name: string; holder: string }

/** The result of a check of scheduled work: a lease, or how long to wait before the next check. */
export type Look = { name: string; lease: Lease | null; waitMs: number }

/** How work ended: its interval, and its error. */
export type Ended = Lease & { everyMs: number; error: string | null }

/** Creates the rows of new work. */
export async function register(database: Database, names: readonly string[]): Promise<void> {
  await database.execute(
    `insert into platform.schedules (name) select unnest($1::text[]) on conflict do nothing`,
    [names],
  )
}

/** Takes work that is due and not taken, or with `anyhow` any that is not taken. One statement. */
export async function claim(
  database: Database,
  names: readonly string[],
  anyhow: boolean,
): Promise<Look[]> {
  const holder = newId()
  const { rows } = await database.execute(
    `with free as (
       select name from platform.schedules
       where name = any($1) and case
         when holder is null then due_at <= now() or $3
         else lease_until < now() end
       for update skip locked),
     claimed as (
       update platform.schedules it
       set holder = $2, lease_until = now() + interval '${LEASE_SECONDS} seconds'
       from free where it.name = free.name
       returning it.name)
     select it.name, claimed.name is not null as claimed,
       extract(epoch from coalesce(it.lease_until, it.due_at) - now())::float8 * 1000 as "waitMs"
     from platform.schedules it left join claimed on claimed.name = it.name
     where it.name = any($1)`,
    [names, holder, anyhow],
  )
  return (rows as { name: string; claimed: boolean; waitMs: number }[]).map(
    ({ name, claimed, waitMs }) => ({ name, waitMs, lease: claimed ? { name, holder } : null }),
  )
}

/** Extends leases. Returns the names of those that this process still has. */
export async function renew(database: Database, leases: readonly Lease[]): Promise<Set<string>> {
  const { rows } = await database.execute(
    `update platform.schedules it
     set lease_until = now() + interval '${LEASE_SECONDS} seconds'
     from unnest($1::text[], $2::uuid[]) held (name, holder)
     where it.name = held.name and it.holder = held.holder
     returning it.name`,
    [leases.map((it) => it.name), leases.map((it) => it.holder)],
  )
  return new Set(rows.map((it) => String(it.name)))
}

/** Releases work. Work that failed is due again soon, and later each time it fails. */
export async function release(database: Database, ended: readonly Ended[]): Promise<void> {
  await database.execute(
    `update platform.schedules it
     set holder = null, lease_until = null, error = ended.error,
       failures = case when ended.error is null then 0 else it.failures + 1 end,
       failed_at = case when ended.error is null then null else now() end,
       due_at = now() + case
         when ended.error is null then ended.every
         else least(ended.every, interval '${RETRY_SECONDS} seconds' * 2 ^ least(it.failures, 12))
       end
     from (select name, holder, error, every_ms * interval '1 millisecond' as every
           from unnest($1::text[], $2::uuid[], $3::text[], $4::float8[])
             as it (name, holder, error, every_ms)) ended
     where it.name = ended.name and it.holder = ended.holder`,
    [
      ended.map((it) => it.name),
      ended.map((it) => it.holder),
      ended.map((it) => it.error),
      ended.map((it) => it.everyMs),
    ],
  )
}

/** The embedded database has one process: leases that exist at its start were left by one that died. */
export async function takeOver(database: Database): Promise<void> {
  await database.execute(
    `update platform.schedules set holder = null, lease_until = null where holder is not null`,
  )
}

/** Makes failed work due at once; returns its name. */
export async function makeDue(database: Database, id: string): Promise<string | null> {
  const { rows } = await database.execute(
    `update platform.schedules set due_at = now() where id = $1 and failures > 0 returning name`,
    [id],
  )
  return rows[0] ? String(rows[0].name) : null
}

/** Whether scheduled work failed the last time it ran. */
export async function hasFailed(database: Database, id: string): Promise<boolean> {
  const { rows } = await database.execute(
    `select id from platform.schedules where id = $1 and failures > 0`,
    [id],
  )
  return rows.length > 0
}

/** Removes the failure of work; it is due when it would have been anyway. */
export async function forgetFailure(database: Database, id: string): Promise<boolean> {
  const { rows } = await database.execute(
    `update platform.schedules set failures = 0, failed_at = null, error = null
     where id = $1 and failures > 0 returning name`,
    [id],
  )
  return rows.length > 0
}
