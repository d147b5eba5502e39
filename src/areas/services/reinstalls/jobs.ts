import { HOUR_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'
import { clientOf, outcomeOf, PanelError, pollAt } from '#panel'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { findService } from '../queries.ts'
import { watchReinstallation } from '../work.ts'
import { endReinstall, lookAt } from './actions.ts'
import { findOpenReinstall, listDueReinstalls, type ReinstallRow } from './queries.ts'

const BATCH = 200
const STUCK_AFTER_MS = HOUR_MS
/** For how long a panel is asked that does not answer. */
const GIVE_UP_AFTER_MS = 72 * HOUR_MS

/** Asks the panel for the progress of a reinstallation. */
export const watchReinstallationJob = job(
  watchReinstallation,
  async (context: JobContext, key) => {
    const { db, clock } = context
    const reinstall = await findOpenReinstall(db, key)
    if (!reinstall?.nextAt || reinstall.nextAt > clock.now()) return
    const outcome = await lookOnce(context, reinstall)
    const now = clock.now()
    const polls = reinstall.polls + 1
    await context.transact((tx) =>
      outcome
        ? endReinstall(tx, key, outcome, now)
        : lookAt(tx, key, { polls, nextAt: pollAt(polls, now) }, now),
    )
  },
  { concurrency: 2, retrySeconds: 10 },
)

/** How it ended; null while it is under way, or its panel does not answer. */
async function lookOnce(
  context: JobContext,
  { tenantId, serviceId, startedAt, askedAt }: ReinstallRow,
): Promise<ReinstallRow['outcome']> {
  const { db, clock } = context
  const service = await findService(db, { tenantId, id: serviceId })
  if (!service?.nodeId || service.endedAt) return 'unknown'
  const { nodeId, externalId } = service
  const look = async () => {
    const client = await clientOf(context, db, { tenantId, nodeId })
    return client.findServerByExternalId(externalId)
  }
  const server = await outcomeOf(look())
  const isLate = later(startedAt, STUCK_AFTER_MS) <= clock.now()
  const isOver = later(startedAt, GIVE_UP_AFTER_MS) <= clock.now()
  if (server instanceof PanelError) return isOver ? 'unknown' : null
  // The status "suspended" hides the result of an installation.
  if (!server || server.status === 'suspended') return 'unknown'
  // If the process died while the panel was asked, an installed server does not show whether the
  // reinstallation began.
  if (server.status === 'installed') return askedAt ? 'done' : 'unknown'
  if (server.status === 'install_failed' || server.status === 'reinstall_failed') return 'failed'
  return isLate ? 'failed' : null
}

/** Finds reinstallations whose job was lost with its process. */
export const resumeReinstalls = schedule(
  'services.resume-reinstalls',
  30 * SECOND_MS,
  async ({ db, now }: JobContext) => {
    const late: Instant = later(now, -2 * SECOND_MS)
    const due = await listDueReinstalls(db, late, BATCH)
    await transact(db, async (tx) => {
      for (const { tenantId, serviceId, id } of due) {
        const payload = { tenantId, serviceId, id }
        await enqueue(tx, watchReinstallation, payload, { key: `resume ${id}` })
      }
    })
  },
)
