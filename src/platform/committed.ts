import type { Logger } from 'pino'
import { idsOf, type Note } from './database/notes.ts'
import type { Metrics } from './metrics.ts'

/** Called with what a transaction did, once it is committed, and with the request to which it belonged. */
export type Committed = (notes: readonly Note[], requestId: string | null) => void

/** Logs and counts what was committed. Log lines contain only ids: an event may contain more, such as a link. */
export function reportCommitted(
  log: Logger,
  metrics: Pick<Metrics, 'events' | 'moneyCents'>,
): Committed {
  return (notes, requestId) => {
    for (const note of notes) {
      if (note.what === 'money') {
        const { kind, currency, amountCents } = note
        metrics.moneyCents.inc({ kind, currency }, amountCents)
      } else {
        metrics.events.inc({ event: note.name })
        const { name, facts, purchaseId } = note
        log.info({ event: name, requestId, purchaseId, ...idsOf(facts) }, name)
      }
    }
  }
}
