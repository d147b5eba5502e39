import type { Logger } from 'pino'
import { idsOf, type Note } from './database/notes.ts'
import type { Metrics } from './metrics.ts'

/** Told of what transactions did, once they are committed, and of the request they were part of. */
export type Committed = (notes: readonly Note[], requestId: string | null) => void

/** Logs and counts what was committed. A line names ids only: an event may tell more, such as a link. */
export function tellCommitted(
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
        log.info({ event: note.name, requestId, ...idsOf(note.facts) }, note.name)
      }
    }
  }
}
