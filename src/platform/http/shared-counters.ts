import { Redis } from 'ioredis'
import type { CounterStore } from './limits.ts'

const KEEP_SECONDS = 120
const COMMAND_MS = 500

/** Counters in Redis or Valkey: a hash for each caller and minute, with a field for each counter. */
export function redisCounters(url: string): CounterStore {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, 2000),
  })
  // The limiter notices failures by its own calls; an error event without a listener would end the process.
  redis.on('error', () => {})
  return {
    async tell(counts) {
      // In one transaction, so that no other process counts between a count and its sum: no two
      // requests get one position.
      const transaction = redis.multi().ping()
      for (const { window, key, by, count } of counts) {
        const name = `moorage:limit:${window}:${key}`
        transaction.hset(name, by, count).hvals(name).expire(name, KEEP_SECONDS)
      }
      const [, ...answers] = (await transaction.exec()) ?? []
      return counts.map((_, index) => {
        const [error, values] = answers[index * 3 + 1] ?? [new Error('No answer'), null]
        if (error) throw error
        return (values as string[]).reduce((sum, value) => sum + Number(value), 0)
      })
    },
    onReturn: (returned) => void redis.on('ready', returned),
    async close() {
      redis.disconnect()
    },
  }
}
