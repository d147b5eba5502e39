import { hash, parseOptions, verify } from '@node-rs/argon2'
import { unprocessable } from '#lib/problem.ts'
import { randomToken } from '#platform/secrets.ts'
import { isGuessable } from './guessable.ts'
import { hashing } from './hashing.ts'

/** argon2id with 19 MiB and 2 passes: OWASP's recommendation. They stand in every hash. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Throws 422 for a password that anybody would guess. Its length is the schema's business. */
export function assertGuessResistant(password: string, email: string): void {
  if (!isGuessable(password, email)) return
  throw unprocessable('This password is too easy to guess.', 'password_too_weak')
}

/** The argon2id hash of a password, with its parameters and a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password.normalize('NFKC'), COST))
}

/**
 * Whether a password is the one behind a hash. Without a hash the same work is done for nothing,
 * so that the time does not tell whether there is an account.
 */
export async function passwordMatches(
  password: string,
  passwordHash: string | null | undefined,
): Promise<boolean> {
  const compared = passwordHash ?? (await nobodysHash())
  const right = await hashing(() => verify(compared, password.normalize('NFKC')))
  return right && passwordHash != null
}

/** Whether a hash was made with less work than is asked today, or with a weaker kind of argon2. */
export function isWeaker(passwordHash: string): boolean {
  const { memoryCost, timeCost } = parseOptions(passwordHash)
  const weaker = memoryCost < COST.memoryCost || timeCost < COST.timeCost
  return weaker || !passwordHash.startsWith('$argon2id$')
}

let nobody: Promise<string> | undefined

/** The hash of a password that nobody knows. */
export function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(randomToken())
  return nobody
}
