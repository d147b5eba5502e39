import { sealedColumn } from '#platform/resealing.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { NodeKey, NodeRow } from './queries.ts'
import { maskedKey } from './rules.ts'

/** What a key is sealed under: it opens in no other row, and not as the other key. */
function boundTo({ tenantId, id }: NodeKey, field: 'apiKey' | 'clientApiKey'): string {
  return `panel.nodes ${tenantId} ${id} ${field}`
}

/** Where keys are sealed. */
export const sealedKeys = [
  sealedColumn('panel.nodes', 'sealedApiKey', ['tenantId', 'id'], (it) => boundTo(it, 'apiKey')),
  sealedColumn('panel.nodes', 'sealedClientApiKey', ['tenantId', 'id'], (it) =>
    boundTo(it, 'clientApiKey'),
  ),
]

/** The columns that keep an application key. */
export function sealedApiKey(secrets: Secrets, node: NodeKey, key: string) {
  return { sealedApiKey: secrets.seal(key, boundTo(node, 'apiKey')), maskedApiKey: maskedKey(key) }
}

/** The columns that keep a client key, or that none is there. */
export function sealedClientApiKey(secrets: Secrets, node: NodeKey, key: string | null) {
  if (key === null) return { sealedClientApiKey: null, maskedClientApiKey: null }
  return {
    sealedClientApiKey: secrets.seal(key, boundTo(node, 'clientApiKey')),
    maskedClientApiKey: maskedKey(key),
  }
}

/** The keys of a connection that is not deleted, in the clear. */
export function openedKeys(secrets: Secrets, node: NodeRow) {
  if (node.sealedApiKey === null) throw new Error('A deleted connection has no key')
  return {
    apiKey: secrets.open(node.sealedApiKey, boundTo(node, 'apiKey')),
    ...(node.sealedClientApiKey !== null && {
      clientApiKey: secrets.open(node.sealedClientApiKey, boundTo(node, 'clientApiKey')),
    }),
  }
}
