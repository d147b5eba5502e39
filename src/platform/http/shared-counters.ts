import { Redis } from 'ioredis'
import type { CounterStore } from './limits.ts'

const KEEP_SECONDS = 120
const COMMAND_MS = 500

/** Counters in Redis or Valkey: one round trip for all of them. */
export function redisCounters(url: string): CounterStore {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 200, 2000),
  })
  // The limiter notices by its own calls; an unheard error event would end the process.
  redis.on('error', () => {})
  return {
    async add(window, counts) {
      const pipeline = redis.pipeline()
      for (const [key, count] of counts) {
        const name = `moorage:limit:${window}:${key}`
        pipeline.incrby(name, count)
        pipeline.expire(name, KEEP_SECONDS)
      }
      const answers = (await pipeline.exec()) ?? []
      return new Map(
        [...counts.keys()].map((key, index) => {
          const [error, total] = answers[index * 2] ?? [new Error('No answer'), null]
          if (error) throw error
          return [key, Number(total)]
        }),
      )
    },
    async close() {
      redis.disconnect()
    },
  }
}
