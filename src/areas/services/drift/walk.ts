import { newId } from '#lib/id.ts'
import { type Instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { clientOf, outcomeOf, type PanelClient, PanelError, type PanelServer } from '#panel'
import type { JobContext } from '#platform/deps.ts'
import {
  type ComparedService,
  insertFindings,
  listByExternalIds,
  listByFormerIds,
  listByServerIds,
  listForeign,
  type ReportRow,
  updateReport,
} from './queries.ts'
import {
  type Difference,
  differencesOf,
  isGivenUp,
  missing,
  nextTry,
  shouldBeThere,
} from './rules.ts'

/** The highest number a server of a panel can have. */
const HIGHEST_ID = 2_147_483_647
const BATCH = 100

/**
 * Compares the next page of a panel's servers with our services. Findings are written together with the
 * progress, so that a page counts once even if a process dies. Returns null when the comparison is
 * over, else when to continue.
 */
export async function comparePage(
  context: JobContext,
  report: ReportRow,
): Promise<{ report: ReportRow; at: Instant } | null> {
  const { db, transact, clock } = context
  const { tenantId, nodeId } = report
  const differences: Difference[] = []
  const work = async () => {
    const client = await clientOf(context, db, { tenantId, nodeId })
    const { servers, isLast } = await client.listServerPage(report.nextPage)
    const upTo = isLast ? HIGHEST_ID : (servers.at(-1)?.id ?? report.lastServerId)
    const found = await compareServers(context, report, servers)
    differences.push(...found.differences)
    const range = { after: report.lastServerId, upTo }
    differences.push(
      ...(await lookForMissing(context, report, { client, range, seen: found.seen })),
    )
    return { servers: servers.length, upTo, isLast }
  }
  const outcome = await outcomeOf(work())
  if (outcome instanceof PanelError) return again(context, report, outcome)
  const now = clock.now()
  const { upTo, isLast } = outcome
  const change = {
    nextPage: report.nextPage + 1,
    ...{ lastServerId: upTo, servers: report.servers + outcome.servers },
    ...{ attempt: 0, nextAt: isLast ? null : now, finishedAt: isLast ? now : null },
    leaseUntil: isLast ? null : leaseEnd(now),
  }
  const rows = differences.map((it) => ({ ...it, tenantId, id: newId(), nodeId, foundAt: now }))
  const written = await transact(async (tx) => {
    if (!(await updateReport(tx, report, change))) return false
    await insertFindings(tx, rows)
    return true
  })
  return written && !isLast ? { report: { ...report, ...change }, at: now } : null
}

async function compareServers(
  { db, database, clock }: JobContext,
  { tenantId, nodeId }: ReportRow,
  servers: readonly PanelServer[],
): Promise<{ differences: Difference[]; seen: ReadonlySet<string> }> {
  const externalIds = servers.flatMap(({ externalId }) => externalId ?? [])
  const services = await listByExternalIds(db, { tenantId, nodeId }, externalIds)
  const byExternalId = new Map(services.map((it) => [it.externalId, it]))
  const unmatched = externalIds.filter((it) => !byExternalId.has(it))
  const foreign = await listForeign(database.everywhere, tenantId, unmatched)
  const former = await listByFormerIds(db, { tenantId, nodeId }, unmatched)
  const now = clock.now()
  const differences = servers.flatMap((server) =>
    differencesOf(
      server,
      byExternalId.get(server.externalId ?? ''),
      { nodeId, foreign, former },
      now,
    ),
  )
  return { differences, seen: new Set(services.map(({ id }) => id)) }
}

type Range = {
  client: PanelClient
  range: { after: number; upTo: number }
  seen: ReadonlySet<string>
}

/**
 * Services whose server should have been on this page but was not. Pages shift while they are read, so
 * each server is asked for individually before it counts as missing.
 */
async function lookForMissing(
  { db, clock }: JobContext,
  { tenantId, nodeId }: ReportRow,
  { client, range, seen }: Range,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (let from = range.after; ; ) {
    const key = { tenantId, nodeId }
    const batch = await listByServerIds(db, key, range, { from, limit: BATCH })
    for (const service of batch) {
      if (seen.has(service.id)) continue
      differences.push(...(await lookForOne(client, service, nodeId, clock.now())))
    }
    const last = batch.at(-1)?.serverId
    if (batch.length < BATCH || last === undefined || last === null) return differences
    from = last
  }
}

async function lookForOne(
  client: PanelClient,
  service: ComparedService,
  nodeId: string,
  now: Instant,
): Promise<Difference[]> {
  if (!shouldBeThere(service, now)) return []
  const server = await client.findServerByExternalId(service.externalId)
  return server
    ? differencesOf(server, service, { nodeId, foreign: new Set(), former: new Map() }, now)
    : [missing(service)]
}

async function again(
  { transact, clock }: JobContext,
  report: ReportRow,
  { failure, retryAfterMs }: PanelError,
): Promise<{ report: ReportRow; at: Instant } | null> {
  const now = clock.now()
  const lastError = { code: failure.code, detail: failure.detail, at: now }
  const attempt = report.attempt + 1
  const givenUp = isGivenUp(report.startedAt, now)
  const at = nextTry(attempt, now, retryAfterMs)
  const end = givenUp ? { finishedAt: now, nextAt: null } : { nextAt: at }
  const change = { attempt, leaseUntil: null, ...end }
  const written = await transact((tx) => updateReport(tx, report, { ...change, lastError }))
  return written && !givenUp ? { report: { ...report, ...change, lastError }, at } : null
}

/** When the lease of one page of a comparison ends. */
export function leaseEnd(now: Instant): Instant {
  return later(now, 600 * SECOND_MS)
}

/** In how many seconds work is due that is due at the given time. */
export function secondsUntil(at: Instant, now: Instant): number {
  return Math.ceil(Math.max(0, millis(at) - millis(now)) / SECOND_MS)
}
