import { sealedColumn } from '#platform/resealing.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { NodeKey, NodeRow } from './queries.ts'
import { maskedKey } from './rules.ts'

/**
 * What a key's encryption is bound to: it cannot be decrypted in another row, or for another use.
 */
function boundTo({ tenantId, id }: NodeKey, field: 'apiKey' | 'clientApiKey'): string {
  return `panel.nodes ${tenantId} ${id} ${field}`
}

/** The columns with sealed keys. */
export const sealedKeys = [
  sealedColumn('panel.nodes', 'sealedApiKey', ['tenantId', 'id'], (it) => boundTo(it, 'apiKey')),
  sealedColumn('panel.nodes', 'sealedClientApiKey', ['tenantId', 'id'], (it) =>
    boundTo(it, 'clientApiKey'),
  ),
]

/** The columns that store an application key. */
export function sealedApiKey(secrets: Secrets, node: NodeKey, key: string) {
  return { sealedApiKey: secrets.seal(key, boundTo(node, 'apiKey')), maskedApiKey: maskedKey(key) }
}

/** The columns that store a client key, or its absence. */
export function sealedClientApiKey(secrets: Secrets, node: NodeKey, key: string | null) {
  if (key === null) return { sealedClientApiKey: null, maskedClientApiKey: null }
  return {
    sealedClientApiKey: secrets.seal(key, boundTo(node, 'clientApiKey')),
    maskedClientApiKey: maskedKey(key),
  }
}

/** The decrypted keys of a connection that is not deleted. */
export function openedKeys(secrets: Secrets, node: NodeRow) {
  if (node.sealedApiKey === null) throw new Error('A deleted connection has no key')
  return {
    apiKey: secrets.open(node.sealedApiKey, boundTo(node, 'apiKey')),
    ...(node.sealedClientApiKey !== null && {
      clientApiKey: secrets.open(node.sealedClientApiKey, boundTo(node, 'clientApiKey')),
    }),
  }
}
