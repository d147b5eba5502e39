import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { serverCrashed, serverInstalled } from './events.ts'
import {
  insertActivity,
  interruptInstalls,
  lockReport,
  recordStarts,
  type ServerKey,
  updateReport,
} from './queries.ts'
import {
  type Activity,
  type InstallReport,
  isCrash,
  isRepeated,
  type StateReport,
} from './rules.ts'

/** A daemon has fetched how to install a server: records the start of the installation. */
export async function recordInstallStart(
  tx: Tx,
  { machine, ...key }: ServerKey & { machine: string },
  now: Instant,
): Promise<void> {
  await lockReport(tx, key)
  await updateReport(tx, key, { machine, installStartedAt: now, interruptedAt: null })
}

/** Records a daemon's report that an installation has ended. A repeated report changes nothing. */
export async function recordInstallEnd(
  tx: Tx,
  key: ServerKey,
  report: InstallReport,
  now: Instant,
): Promise<void> {
  const known = await lockReport(tx, key)
  if (isRepeated(known, report, now)) return
  const { successful, reinstall } = report
  await updateReport(tx, key, {
    ...{ installEndedAt: now, installSuccessful: successful, reinstall },
    interruptedAt: null,
  })
  const outcome = successful ? 'successful' : 'failed'
  await emit(tx, serverInstalled, { ...key, outcome })
}

/** No installation takes longer: for an older one the report about its end was lost. */
const LONGEST_INSTALL_MS = DAY_MS

/** Records that a daemon has started: the installations on its machine were interrupted. */
export async function recordDaemonStart(
  tx: Tx,
  { tenantId, nodeId, machine }: Omit<ServerKey, 'serverUuid'> & { machine: string },
  now: Instant,
): Promise<void> {
  const since = later(now, -LONGEST_INSTALL_MS)
  const servers = await interruptInstalls(tx, { tenantId, nodeId, machine }, { since, now })
  for (const serverUuid of servers) {
    await emit(tx, serverInstalled, { tenantId, nodeId, serverUuid, outcome: 'interrupted' })
  }
}

/** A server that crashes again and again is reported up to three times a day. */
const CRASH_TOLD_MS = 8 * HOUR_MS

/** Records that a server has started or stopped. Reports contain no time: the latest counts. */
export async function recordServerState(
  tx: Tx,
  key: ServerKey,
  report: StateReport,
  now: Instant,
): Promise<void> {
  const { state, startedAt, crashedAt, crashToldAt } = await lockReport(tx, key)
  // A repeated report, because our answer was lost.
  if (state === report.next) return
  const crashed = isCrash(report)
  const tells = crashed && (crashToldAt === null || later(crashToldAt, CRASH_TOLD_MS) <= now)
  await updateReport(tx, key, {
    ...{ state: report.next, stateAt: now },
    startedAt: report.next === 'running' ? now : startedAt,
    crashedAt: crashed ? now : crashedAt,
    crashToldAt: tells ? now : crashToldAt,
  })
  const { tenantId, nodeId, serverUuid } = key
  if (tells) await emit(tx, serverCrashed, { tenantId, nodeId, serverUuid })
}

/** Records what people did on servers of a panel connection. */
export async function recordActivity(
  tx: Tx,
  node: Omit<ServerKey, 'serverUuid'>,
  entries: readonly Activity[],
  now: Instant,
): Promise<void> {
  await insertActivity(tx, node, entries, now)
  const starts = new Map<string, Instant>()
  for (const { event, serverUuid, happenedAt } of entries) {
    if (event !== 'server:power.start' && event !== 'server:power.restart') continue
    const known = starts.get(serverUuid)
    if (!known || known < happenedAt) starts.set(serverUuid, happenedAt)
  }
  await recordStarts(tx, node, starts)
}
