import { setTimeout as wait } from 'node:timers/promises'
import { DiscordAPIError } from 'discord.js'
import { MoorageError } from './moorage.ts'
import type { Log } from './roles.ts'

const LONGEST_MS = 5 * 60_000

type Options = { name: string; pollMs: number; log: Log; signal: AbortSignal }

/** A token that does not count, here or there, or may not do this: asking again changes nothing. */
function isFatal(error: unknown): boolean {
  if (error instanceof DiscordAPIError) return error.status === 401
  return error instanceof MoorageError && (error.status === 401 || error.status === 403)
}

/**
 * Runs `pass` again and again until the signal: at once while it answers that there is more, else
 * after the poll time. Whatever fails is tried again, later each time, as long as it takes: what was
 * not acknowledged comes again. Throws only what no repeat can mend.
 */
export async function repeat(
  pass: () => Promise<boolean>,
  { name, pollMs, log, signal }: Options,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let pauseMs = pollMs
    try {
      if (await pass()) pauseMs = 0
      failures = 0
    } catch (error) {
      if (isFatal(error)) throw error
      const asked = error instanceof MoorageError ? (error.retryMs ?? 0) : 0
      pauseMs = Math.max(asked, Math.min(LONGEST_MS, pollMs * 2 ** failures))
      failures += 1
      log(`${name}: ${error instanceof Error ? error.message : error}; again in ${pauseMs} ms`)
    }
    // Ends early, without an error, when the bot is told to stop.
    await wait(pauseMs, undefined, { signal }).catch(() => {})
  }
}
