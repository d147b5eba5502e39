import type { JobContext } from '#platform/deps.ts'
import { leaseServer, releaseServer, type ServerKey } from './queries.ts'

/**
 * Works on a server while nobody else does; undefined, and no work, where somebody else has it. It is
 * given back however the work ends.
 */
export async function whileLeased<T>(
  { transact, clock }: Pick<JobContext, 'transact' | 'clock'>,
  key: ServerKey,
  work: () => Promise<T>,
): Promise<{ done: T } | undefined> {
  const lease = await transact((tx) => leaseServer(tx, key, clock.now()))
  if (!lease) return undefined
  try {
    return { done: await work() }
  } finally {
    await transact((tx) => releaseServer(tx, lease))
  }
}
