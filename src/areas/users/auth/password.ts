import { hash, parseOptions, verify } from '@node-rs/argon2'
import { unprocessable } from '#lib/problem.ts'
import { randomToken } from '#platform/secrets.ts'

/** argon2id with 19 MiB and 2 passes: OWASP's recommendation. They stand in every hash. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** What everybody tries first, as far as it is long enough to be allowed. */
const COMMON = new Set([
  ...['1234567890', '0123456789', '12345678910', '123456789a', '1234567891', '0987654321'],
  ...['1111111111', '0000000000', '1231231231', '1212121212', '123456789q', 'a123456789'],
  ...['qwertyuiop', 'qwertyuiop123', 'qwerty1234', 'qwerty12345', 'qwerty123456', 'asdfghjkl1'],
  ...['azertyuiop', 'azerty12345', 'azertyuiop123', '1q2w3e4r5t', '1q2w3e4r5t6y', '1qaz2wsx3edc'],
  ...['password12', 'password123', 'password1234', 'passwordpassword', 'motdepasse', 'motdepasse1'],
  ...['iloveyou123', 'administrator', 'changeme123', 'letmein123', 'welcome123', 'minecraft1'],
  ...['minecraft123', 'gameserver', 'gameserver1', 'superman123', 'football123', 'dragon12345'],
])

/** Throws 422 for a password that anybody would guess. Its length is the schema's business. */
export function assertGuessResistant(password: string, email: string): void {
  const plain = password.toLowerCase()
  if (plain === email || plain === email.split('@')[0] || COMMON.has(plain)) {
    throw unprocessable('This password is too easy to guess.', 'password_too_weak')
  }
}

/** The argon2id hash of a password, with its parameters and a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), COST)
}

/**
 * Whether a password is the one behind a hash. Without a hash the same work is done for nothing,
 * so that the time does not tell whether there is an account.
 */
export async function passwordMatches(
  password: string,
  passwordHash: string | null | undefined,
): Promise<boolean> {
  const right = await verify(passwordHash ?? (await nobodysHash()), password.normalize('NFKC'))
  return right && passwordHash != null
}

/** Whether a hash was made with less work than is asked today. */
export function isWeaker(passwordHash: string): boolean {
  const { memoryCost, timeCost } = parseOptions(passwordHash)
  return memoryCost < COST.memoryCost || timeCost < COST.timeCost
}

let nobody: Promise<string> | undefined

/** The hash of a password that nobody knows. */
export function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(randomToken())
  return nobody
}
