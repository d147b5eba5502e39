/** The cursor of somebody who was never told anything: everything comes after it. */
export const BEGINNING = '00000000-0000-0000-0000-000000000000'

/** How many missed notifications are told again; with more of them the list is read anew. */
export const MOST_MISSED = 200

/** How much may wait for one reader before they count as gone. */
export const MOST_WAITING_BYTES = 256 * 1024

/** How many streams one person may have open, in one process. */
export const MOST_STREAMS_OF_ONE = 10

/** How many streams a process holds. */
export const MOST_STREAMS = 10_000

/** A line that only shows that somebody is there. */
export const HEARTBEAT = ':\n\n'

/**
 * Why a stream ends: its credential has ended or its person may not come in any more, the shop is
 * suspended or closed, or this process wants its reader to come back, to another one perhaps.
 */
export type EndReason = 'credential' | 'shop' | 'again'

type StreamEvent = {
  event: 'notification' | 'unread' | 'reset' | 'end'
  id?: string
  data: unknown
}

/** An event as it is written into a stream; one with an id moves the cursor of who reads it. */
export function textOf({ event, id, data }: StreamEvent): string {
  const head = id === undefined ? '' : `id: ${id}\n`
  return `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/**
 * The first line: how long to wait before connecting again. Not the same for all, so that those a
 * process sends away do not come back at once.
 */
export function retryText(random: number): string {
  return `retry: ${Math.round(1000 + random * 4000)}\n\n`
}
