import { hash, parseOptions, verify } from '@node-rs/argon2'
import { unprocessable } from '#lib/problem.ts'
import { randomToken } from '#platform/secrets.ts'
import { isGuessable } from './guessable.ts'
import { hashing } from './hashing.ts'

/** argon2id with 19 MiB and 2 passes, as OWASP recommends. Every hash contains these parameters. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Throws 422 for a password that is easy to guess. Its length is checked by the schema. */
export function assertGuessResistant(password: string, email: string): void {
  if (!isGuessable(password, email)) return
  throw unprocessable('This password is too easy to guess.', 'password_too_weak')
}

/** The argon2id hash of a password, with its parameters and its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password.normalize('NFKC'), COST))
}

/**
 * Whether a password matches a hash. Without a hash, it is compared with a dummy hash, so that the
 * time does not reveal whether there is an account.
 */
export async function passwordMatches(
  password: string,
  passwordHash: string | null | undefined,
): Promise<boolean> {
  const compared = passwordHash ?? (await nobodysHash())
  const right = await hashing(() => verify(compared, password.normalize('NFKC')))
  return right && passwordHash != null
}

/** Whether a hash was made with less work than is required today, or with a weaker kind of argon2. */
export function isWeaker(passwordHash: string): boolean {
  const { memoryCost, timeCost } = parseOptions(passwordHash)
  const weaker = memoryCost < COST.memoryCost || timeCost < COST.timeCost
  return weaker || !passwordHash.startsWith('$argon2id$')
}

let nobody: Promise<string> | undefined

/** The dummy hash: of a random password. */
function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(randomToken())
  return nobody
}
