type Lookups<T> = { readonly now: Promise<T>; next: Promise<T> | null }

/**
 * Coalesces concurrent lookups of the same key; never returns a result whose lookup started before the call: calls
 * that arrive while a lookup runs share the next one.
 */
export function coalesced<T>(): (key: string, lookUp: () => Promise<T>) => Promise<T> {
  const lookups = new Map<string, Lookups<T>>()

  function begin(key: string, lookUp: () => Promise<T>): Promise<T> {
    const running: Lookups<T> = { now: lookUp(), next: null }
    lookups.set(key, running)
    const ended = () => {
      if (!running.next) lookups.delete(key)
    }
    running.now.then(ended, ended)
    return running.now
  }

  return (key, lookUp) => {
    const running = lookups.get(key)
    if (!running) return begin(key, lookUp)
    const again = () => begin(key, lookUp)
    running.next ??= running.now.then(again, again)
    return running.next
  }
}
