import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockNode } from '../nodes/queries.ts'
import {
  type DaemonTokenRow,
  deleteEnded,
  deleteToken,
  endTokensOf,
  insertToken,
} from './queries.ts'
import { keptOf, newDaemonToken, overlapEnd } from './rules.ts'
import type { NewDaemonToken } from './schema.ts'

type Issued = {
  row: DaemonTokenRow
  /** The token, shown only this once; null if the panel generated it. */
  token: string | null
  /** Ids of credentials whose validity has changed. */
  changed: string[]
}

/** The name of a machine if the host has not named it. */
const DEFAULT_MACHINE = 'default'
const OVERLAP_SECONDS = 24 * 3600

/**
 * Gives a machine of a panel a token: a new one, or the given one of the panel itself. Its earlier
 * tokens stay valid for the overlap. Throws 404 for a connection that is gone, 409
 * `daemon_token_taken`.
 */
export async function issueDaemonToken(
  tx: Tx,
  { tenantId, nodeId }: { tenantId: string; nodeId: string },
  { machine = DEFAULT_MACHINE, token = null, overlapSeconds = OVERLAP_SECONDS }: NewDaemonToken,
  now: Instant,
): Promise<Issued> {
  if (!(await lockNode(tx, { tenantId, id: nodeId }))) throw notFound('Node')
  const made = token === null ? newDaemonToken() : null
  const kept = keptOf(token ?? made ?? '')
  const gone = await deleteEnded(tx, { tenantId, nodeId }, { tokenId: kept.tokenId, now })
  const end = overlapEnd(now, overlapSeconds)
  const ending = await endTokensOf(tx, { tenantId, nodeId, machine }, end)
  const row = await insertToken(tx, {
    ...{ tenantId, id: newId(), nodeId, machine, createdAt: now },
    ...{ mode: token === null ? 'report' : 'relay', ...kept },
  })
  if (!row) {
    const message = 'Another panel connection has this token.'
    throw conflict(message, 'daemon_token_taken')
  }
  return { row, token: made, changed: [...gone, ...ending] }
}

/** Ends a token at once. Throws 404 if the connection has no such token. */
export async function revokeDaemonToken(
  tx: Tx,
  key: { tenantId: string; nodeId: string; id: string },
) {
  if (!(await deleteToken(tx, key))) throw notFound('Daemon token')
  return { id: key.id, deleted: true }
}
