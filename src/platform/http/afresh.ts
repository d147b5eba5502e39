type Line<T> = { readonly now: Promise<T>; next: Promise<T> | null }

/**
 * Looks something up for whoever asks, never with an answer from before they asked: who comes while a look
 * at the same key is under way waits for the next one, which all who come until then share.
 */
export function afresh<T>(): (key: string, look: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, Line<T>>()

  function begin(key: string, look: () => Promise<T>): Promise<T> {
    const line: Line<T> = { now: look(), next: null }
    lines.set(key, line)
    const ended = () => {
      if (!line.next) lines.delete(key)
    }
    line.now.then(ended, ended)
    return line.now
  }

  return (key, look) => {
    const line = lines.get(key)
    if (!line) return begin(key, look)
    const again = () => begin(key, look)
    line.next ??= line.now.then(again, again)
    return line.next
  }
}
