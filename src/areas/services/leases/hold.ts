import type { JobContext } from '#platform/deps.ts'
import { leaseServer, releaseServer, type ServerKey } from './queries.ts'

/**
 * Does work on a server while this process has its lease. Undefined, without doing the work, if another
 * process has the lease. The lease ends however the work ends.
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
