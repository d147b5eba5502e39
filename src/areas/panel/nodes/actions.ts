import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import type { Secrets } from '#platform/secrets.ts'
import { deleteReportsOf } from '../daemon/queries.ts'
import { deleteRelayedTokensOf, deleteTokensOf } from '../daemon-tokens/queries.ts'
import { archiveEggsOf } from '../eggs/queries.ts'
import { nodeDeleted } from './events.ts'
import { sealedApiKey, sealedClientApiKey } from './keys.ts'
import {
  findNode,
  insertNode,
  lockNode,
  type NodeKey,
  type NodeRow,
  takeSyncLease,
  updateNode,
} from './queries.ts'
import { assertKeysFor, assertSignOnUrl, leadsElsewhere } from './rules.ts'
import type { NewNode, NodeChange } from './schema.ts'

/** Adds a panel connection. Its `url` has been checked. */
export function createNode(
  tx: Tx,
  { tenantId, secrets }: { tenantId: string; secrets: Secrets },
  { apiKey, clientApiKey = null, type = 'auto', name, url, signOnUrl = null }: NewNode,
  now: Instant,
): Promise<NodeRow> {
  assertSignOnUrl(signOnUrl, url)
  const key = { tenantId, id: newId() }
  return insertNode(tx, {
    ...key,
    ...{ name, url, type, signOnUrl },
    ...sealedApiKey(secrets, key, apiKey),
    ...sealedClientApiKey(secrets, key, clientApiKey),
    createdAt: now,
  })
}

/**
 * Changes a panel connection; a new `url` has been checked. Another address, type or key makes a new
 * version: earlier test results are dropped, and a running sync is discarded. Throws 404, 422.
 */
export async function changeNode(
  tx: Tx,
  { secrets, ...key }: NodeKey & { secrets: Secrets },
  change: NodeChange,
): Promise<NodeRow> {
  const node = await lockNode(tx, key)
  if (!node) throw notFound('Node')
  assertKeysFor(node, change)
  const { name = node.name, url = node.url, type = node.type, apiKey, clientApiKey } = change
  const { signOnUrl = node.signOnUrl } = change
  assertSignOnUrl(signOnUrl, url)
  const moved = url !== node.url || type !== node.type
  const reconnects = moved || apiKey !== undefined || clientApiKey !== undefined
  if (!reconnects && name === node.name && signOnUrl === node.signOnUrl) return node
  // Requests of daemons, with their token and people's passwords, may only be relayed to the panel for
  // which the token was given.
  if (leadsElsewhere(node, change)) {
    await deleteRelayedTokensOf(tx, { tenantId: key.tenantId, nodeId: key.id })
  }
  return updateNode(tx, key, {
    ...{ name, url, type, signOnUrl },
    ...(apiKey !== undefined && sealedApiKey(secrets, key, apiKey)),
    ...(clientApiKey !== undefined && sealedClientApiKey(secrets, key, clientApiKey)),
    ...(reconnects && { version: node.version + 1, status: 'unknown', testedAt: null }),
    ...(reconnects && { syncId: null, syncUntil: null }),
    ...(moved && { detectedType: null }),
  })
}

/**
 * Deletes a panel connection: its row stays for what refers to it, its keys, tokens and eggs do not.
 * Emits `panel.node-deleted` for everything that uses it. Throws 404 if it is already gone.
 */
export async function deleteNode(tx: Tx, key: NodeKey, now: Instant) {
  const { tenantId, id } = key
  if (!(await lockNode(tx, key))) throw notFound('Node')
  await updateNode(tx, key, {
    deletedAt: now,
    ...{ sealedApiKey: null, maskedApiKey: null },
    ...{ sealedClientApiKey: null, maskedClientApiKey: null },
    ...{ syncId: null, syncUntil: null },
  })
  await archiveEggsOf(tx, { tenantId, nodeId: id }, now)
  await deleteTokensOf(tx, { tenantId, nodeId: id })
  await deleteReportsOf(tx, { tenantId, nodeId: id })
  await emit(tx, nodeDeleted, { tenantId, nodeId: id })
  return { id, deleted: true }
}

/** How long a sync counts as running if its process died. */
const SYNC_MS = 10 * MINUTE_MS

/** Starts a sync of a connection's eggs. Throws 404, or 409 `sync_running` while one runs. */
export async function beginSync(tx: Tx, key: NodeKey, now: Instant) {
  const syncId = newId()
  const node = await takeSyncLease(tx, key, { syncId, now, until: later(now, SYNC_MS) })
  if (node) return { ...node, syncId }
  if (!(await findNode(tx, key))) throw notFound('Node')
  throw conflict('A sync of this panel connection is running.', 'sync_running')
}
