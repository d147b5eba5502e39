import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { serverCrashed, serverInstalled } from './events.ts'
import {
  insertActivity,
  interruptInstalls,
  lockReport,
  noteStarts,
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

/** A daemon has fetched how a server is installed: it begins. */
export async function noteInstallStart(
  tx: Tx,
  { machine, ...key }: ServerKey & { machine: string },
  now: Instant,
): Promise<void> {
  await lockReport(tx, key)
  await updateReport(tx, key, { machine, installStartedAt: now, interruptedAt: null })
}

/** An installation has ended, says its daemon. The same again changes nothing. */
export async function noteInstall(
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

/** No installation takes longer: what began before and did not end was lost on the way to us. */
const LONGEST_INSTALL_MS = DAY_MS

/** A daemon has started: what its machine was installing it no longer is. */
export async function noteReset(
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

/** A server that crashes again and again is told of three times a day. */
const CRASH_TOLD_MS = 8 * HOUR_MS

/** A server has started or stopped. There is no time in it: what was heard last counts. */
export async function noteState(
  tx: Tx,
  key: ServerKey,
  report: StateReport,
  now: Instant,
): Promise<void> {
  const { state, startedAt, crashedAt, crashToldAt } = await lockReport(tx, key)
  // The same again, where our answer was lost.
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

/** What people did on servers of a panel connection. */
export async function noteActivity(
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
  await noteStarts(tx, node, starts)
}
