/** The items of one key that wait until the current batch is done. */
type Queue<T> = { readonly waiting: Waiting<T>[] }
type Waiting<T> = { item: T; done: () => void; failed: (error: unknown) => void }

/**
 * Batches work: items that arrive while a batch of the same key runs are processed together as the next batch, of
 * at most `most` items; an item that arrives while none runs starts at once. The returned promise settles with
 * its item. If a batch fails because of one item (`isOwnFault`), its items are retried one by one.
 */
export function batched<T>(
  work: (key: string, items: readonly T[]) => Promise<void>,
  { most, isOwnFault }: { most: number; isOwnFault: (error: unknown) => boolean },
): (key: string, item: T) => Promise<void> {
  const queues = new Map<string, Queue<T>>()

  async function run(key: string, queue: Queue<T>): Promise<void> {
    while (queue.waiting.length > 0) {
      await doAll(key, queue.waiting.splice(0, most))
    }
    queues.delete(key)
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
      const known = queues.get(key)
      const queue = known ?? { waiting: [] }
      queue.waiting.push({ item, done, failed })
      if (known) return
      queues.set(key, queue)
      void run(key, queue)
    })
}
