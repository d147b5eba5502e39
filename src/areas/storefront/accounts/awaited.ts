import type { Secrets } from '#platform/secrets.ts'
import type { Selection } from '../selection.ts'
import type { Visit } from '../visit.ts'

type Form = Readonly<Record<string, string>>

/** What a visitor was doing when an address had to be confirmed first. It continues on this or another device. */
export type Awaited = {
  /** The path to continue at. */
  readonly next: string
  readonly selection: Selection
  /** The key of the selection: it is moved to the cart once, even if both this and the confirming browser move it. */
  readonly selectionKey: string
  /** What was typed at the checkout; null elsewhere. */
  readonly draft: Form | null
}

/** The maximum length of the `state` that the API stores with a registration. */
const MAX_LENGTH = 10_000

/** What a visitor was doing, as the state of a registration; without the draft if it would be too long. */
export function sealAwaited(
  secrets: Secrets,
  tenantId: string,
  { selection, selectionKey }: Pick<Visit, 'selection' | 'selectionKey'>,
  { next, draft }: Pick<Awaited, 'next' | 'draft'>,
): string | null {
  for (const kept of [draft, null]) {
    const awaited: Awaited = { next, selection, selectionKey, draft: kept }
    const sealed = secrets.seal(JSON.stringify(awaited), boundTo(tenantId))
    if (sealed.length <= MAX_LENGTH) return sealed
  }
  return null
}

/** What `sealAwaited` sealed; null if there is no state, or if it is from another front end. */
export function openAwaited(
  secrets: Secrets,
  tenantId: string,
  state: string | null,
): Awaited | null {
  if (state === null) return null
  try {
    return JSON.parse(secrets.open(state, boundTo(tenantId)))
  } catch {
    return null
  }
}

function boundTo(tenantId: string): string {
  return `storefront registration at ${tenantId}`
}
