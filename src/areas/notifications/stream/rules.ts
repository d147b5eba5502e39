/** The cursor of a person without notifications: everything comes after it. */
export const BEGINNING = '00000000-0000-0000-0000-000000000000'

/** How many missed notifications are sent again; if there are more, the client reads the list again. */
export const MOST_MISSED = 200

/** How much unread data one reader may have before they count as gone. */
export const MOST_WAITING_BYTES = 256 * 1024

/** How many streams one person may have open, in one process. */
export const MOST_STREAMS_OF_ONE = 10

/** How many streams a process may have open. */
export const MOST_STREAMS = 10_000

/** A comment line that only shows that the connection is alive. */
export const HEARTBEAT = ':\n\n'

/**
 * Why a stream ends: its credential has ended or its person has no access any more, the shop is
 * suspended or closed, or this process wants its reader to reconnect, perhaps to another one.
 */
export type EndReason = 'credential' | 'shop' | 'again'

/** Events about the present moment: they are not stored, and a reader without a stream misses them. */
export type LiveKind = 'presence'

type StreamEvent = {
  event: 'notification' | 'unread' | 'reset' | 'end' | LiveKind
  id?: string
  data: unknown
}

/** An event as it is written into a stream; one with an id moves the reader's cursor. */
export function textOf({ event, id, data }: StreamEvent): string {
  const head = id === undefined ? '' : `id: ${id}\n`
  return `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/**
 * The first line: how long to wait before connecting again. Random, so that the readers that a
 * process sends away do not all come back at once.
 */
export function retryText(random: number): string {
  return `retry: ${Math.round(1000 + random * 4000)}\n\n`
}
