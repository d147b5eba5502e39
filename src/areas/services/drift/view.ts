import type { Db } from '#platform/database/index.ts'
import { countFindings, type FindingRow, findReport, type NodeKey } from './queries.ts'
import { type Finding, KINDS, type Report } from './schema.ts'

/** The last comparison of a panel for operators; null before the first one. */
export async function reportOf(db: Db, key: NodeKey): Promise<Report | null> {
  const report = await findReport(db, key)
  if (!report) return null
  const found = new Map((await countFindings(db, key)).map(({ kind, count }) => [kind, count]))
  const { id, startedAt, finishedAt, servers, lastError } = report
  const counts = Object.fromEntries(
    KINDS.map((kind) => [kind, found.get(kind) ?? 0]),
  ) as Report['counts']
  return { id, startedAt, finishedAt, servers, counts, lastError }
}

/** A finding as operators see it. */
export function findingView({ tenantId: _, nodeId: __, ...finding }: FindingRow): Finding {
  return finding
}
