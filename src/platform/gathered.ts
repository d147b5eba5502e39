/** Those who wait under one key until the batch before theirs is done. */
type Line<T> = { readonly waiting: Waiting<T>[] }
type Waiting<T> = { item: T; done: () => void; failed: (error: unknown) => void }

/**
 * Does for many at once what costs as much for one: what comes while a batch of the same key is under way
 * waits for the next one, so nobody waits when nothing is under way. Whoever asks hears when theirs is
 * done, or that it failed. Where an error is one item's own fault, each of its batch is tried alone.
 */
export function gathered<T>(
  work: (key: string, items: readonly T[]) => Promise<void>,
  { most, isOwnFault }: { most: number; isOwnFault: (error: unknown) => boolean },
): (key: string, item: T) => Promise<void> {
  const lines = new Map<string, Line<T>>()

  async function run(key: string, line: Line<T>): Promise<void> {
    while (line.waiting.length > 0) {
      await doAll(key, line.waiting.splice(0, most))
    }
    lines.delete(key)
  }

  async function doAll(key: string, batch: readonly Waiting<T>[]): Promise<void> {
    try {
      await work(
        key,
        batch.map(({ item }) => item),
      )
      for (const { done } of batch) done()
    } catch (error) {
      if (batch.length === 1 || !isOwnFault(error)) for (const { failed } of batch) failed(error)
      else for (const it of batch) await doAll(key, [it])
    }
  }

  return (key, item) =>
    new Promise((done, failed) => {
      const known = lines.get(key)
      const line = known ?? { waiting: [] }
      line.waiting.push({ item, done, failed })
      if (known) return
      lines.set(key, line)
      void run(key, line)
    })
}
