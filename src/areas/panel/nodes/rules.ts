import { unprocessable } from '#lib/problem.ts'
import type { PanelTest } from '../clients/contract.ts'
import type { NodeRow } from './queries.ts'
import type { NodeChange } from './schema.ts'

/** The stored form of a panel's address: the base to which its paths are appended. Throws 422. */
export function panelUrlOf(text: string): string {
  const url = text.trim().replace(/\/+$/, '')
  if (/[?#]/.test(url)) {
    throw unprocessable('The address of a panel has no ? and no #.', 'address_not_allowed', [
      { path: 'url', message: 'has no ? and no #' },
    ])
  }
  return url
}

/**
 * Throws 422 unless customers can be sent to this address: `https`, or `http` if the panel itself has no
 * TLS, and without a name or password in it.
 */
export function assertSignOnUrl(signOnUrl: string | null | undefined, panelUrl: string): void {
  if (!signOnUrl) return
  const url = URL.canParse(signOnUrl) ? new URL(signOnUrl) : null
  const isOfPanel = url?.origin === originOf(panelUrl)
  if (url && !url.username && !url.password && (url.protocol === 'https:' || isOfPanel)) return
  throw unprocessable(
    'The sign-on address must be an https address without a user name.',
    'address_not_allowed',
    [{ path: 'signOnUrl', message: 'must be an https address without a user name' }],
  )
}

/** What distinguishes panels: two connections to one address lead to the same machines. */
export function panelOf({ url }: Pick<NodeRow, 'url'>): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname.replace(/\/+$/, '')}`
}

const SHOWN = 4
/** The end of a shorter key would reveal too much of it. */
const SHOWN_FROM = 16

/** What is shown of a key. */
export function maskedKey(key: string): string {
  return `••••${key.length >= SHOWN_FROM ? key.slice(-SHOWN) : ''}`
}

/**
 * A stored key is never sent to another host than the one it was entered for: anyone who may change the
 * address could read it there. Throws 422 `api_key_required`.
 */
export function assertKeysFor(
  node: Pick<NodeRow, 'url' | 'sealedClientApiKey'>,
  change: NodeChange,
) {
  if (!leadsElsewhere(node, change)) return
  const missing = [
    ...(change.apiKey === undefined ? ['apiKey'] : []),
    ...(node.sealedClientApiKey && change.clientApiKey === undefined ? ['clientApiKey'] : []),
  ]
  if (missing.length === 0) return
  throw unprocessable(
    'Another address needs its keys: the stored ones were given for the present one.',
    'api_key_required',
    missing.map((path) => ({ path, message: 'is required with another address' })),
  )
}

/** Whether a change moves a connection to another host. */
export function leadsElsewhere({ url }: Pick<NodeRow, 'url'>, change: NodeChange): boolean {
  return change.url !== undefined && originOf(change.url) !== originOf(url)
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

type Verdict = Pick<PanelTest, 'ok' | 'fault' | 'missingPermissions'>

/** The status of a connection after a test. */
export function statusAfter({ ok, fault, missingPermissions }: Verdict): NodeRow['status'] {
  if (ok) return 'ok'
  const refused = fault === 'unauthorized' || fault === 'forbidden'
  return refused || missingPermissions.length > 0 ? 'unauthorized' : 'unreachable'
}
