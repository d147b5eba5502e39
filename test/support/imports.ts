import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { areas } from '#app/areas.ts'
import { faultsIn } from '#app/doctor.ts'
import { importFile } from '#imports'
import type { TestApp } from './app.ts'
import type { Report } from './dumps.ts'

/** The decisions of a shop that has neither tax rates nor a gateway. */
export const DECIDED = { tax: 'standard_rates', gateways: 'without_gateway' } as const

/** Imports a dump as the command line does, to its end. */
export async function imported(
  { deps, tenantId }: TestApp,
  content: Buffer,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
) {
  const file = {
    ...{ tenantId, fileName: 'dump.sql', sizeBytes: content.length },
    sha256: createHash('sha256').update(content).digest(),
    content: () => Readable.from([content]),
  }
  const watch = { everyMs: 60_000, onProgress() {} }
  const { report, ...ended } = await importFile(deps, file, { dryRun }, watch)
  return { ...ended, report: report as unknown as Report }
}

/** How many rows each table has; the import's own account of itself left out. */
export async function rowCounts({ deps }: TestApp): Promise<Map<string, number>> {
  const { rows } = await deps.database.execute(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in
       ('pg_catalog', 'information_schema', 'jobs', 'platform', 'imports')`,
  )
  const counts = new Map<string, number>()
  for (const { name } of rows as { name: string }[]) {
    const { rows: counted } = await deps.database.execute(`select count(*)::int as n from ${name}`)
    counts.set(name, Number(counted[0]?.n))
  }
  return counts
}

/** What the doctor finds. */
export async function faults({ deps }: TestApp): Promise<string[]> {
  const found: string[] = []
  for await (const fault of faultsIn(deps, areas)) found.push(fault)
  return found
}
