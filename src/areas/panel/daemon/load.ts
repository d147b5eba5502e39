import { overloaded } from './problems.ts'

/** The limit of daemon requests that this process handles at once. */
export type Load = {
  /** Admits a request of a daemon; call the returned function once when it ends. Throws 503. */
  enter(daemonId: string): () => void
}

/** A machine with hundreds of servers asks for all of them when it starts. */
const MOST_PER_DAEMON = 128
const MOST = 512

/** Counts the requests being handled, for each daemon and in total. */
export function countLoad({ perDaemon = MOST_PER_DAEMON, inAll = MOST } = {}): Load {
  const under = new Map<string, number>()
  let all = 0
  return {
    enter(daemonId) {
      const own = under.get(daemonId) ?? 0
      if (own >= perDaemon || all >= inAll) throw overloaded()
      under.set(daemonId, own + 1)
      all += 1
      let inside = true
      return () => {
        if (!inside) return
        inside = false
        all -= 1
        const left = (under.get(daemonId) ?? 1) - 1
        if (left > 0) under.set(daemonId, left)
        else under.delete(daemonId)
      }
    },
  }
}
