import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const AUTOCANNON = path.join(import.meta.dirname, '../node_modules/autocannon/autocannon.js')

/** What one run of load found. */
export type Run = { requestsPerSecond: number; p50Ms: number; p99Ms: number }

export type Load = { url: string; token: string; seconds: number; connections: number }

type Report = {
  requests: { average: number }
  latency: { p50: number; p99: number }
  errors: number
  timeouts: number
  non2xx: number
}

/** Asks an address as fast as it answers, from a process of its own. Throws when any answer fails. */
export async function runLoad({ url, token, seconds, connections }: Load): Promise<Run> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    AUTOCANNON,
    ...['--json', '--no-progress', '--connections', String(connections)],
    ...['--duration', String(seconds), '--headers', `authorization=Bearer ${token}`, url],
  ])
  const { requests, latency, errors, timeouts, non2xx }: Report = JSON.parse(stdout)
  if (errors + timeouts + non2xx > 0) throw new Error(`${url} failed under load: ${stdout}`)
  return { requestsPerSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99 }
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
