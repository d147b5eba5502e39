import { availableParallelism } from 'node:os'
import { Problem } from '#lib/problem.ts'

/**
 * Passwords are hashed on Node's four pool threads, which file access and DNS need too: one of them stays free,
 * and no more hashes run than there are processors.
 */
const AT_ONCE = Math.min(3, availableParallelism())
/** With more requests waiting, a sign-in would take too long for anyone. */
const MAX_WAITING = 200
const RETRY_SECONDS = 5

let running = 0
const waiting: (() => void)[] = []

/**
 * Runs one hash or comparison of a password, argon2 or bcrypt, off the main thread. Few run at once; the
 * others wait for them. Throws 503 with `Retry-After` if too many are waiting.
 */
export async function hashing<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1
  else {
    if (waiting.length >= MAX_WAITING) throw busy()
    await new Promise<void>((begin) => waiting.push(begin))
  }
  try {
    return await work()
  } finally {
    // The longest-waiting request takes over the slot; if none is waiting, the slot becomes free.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

function busy(): Problem {
  return new Problem(503, 'Too many sign-ins at once. Try again in a few seconds.', {
    code: 'sign_in_busy',
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })
}
