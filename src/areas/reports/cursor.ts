import { invalidCursor } from '#lib/problem.ts'

/** A cursor made of words that say where a list continues; opaque to callers. */
export function cursorOf(...words: readonly string[]): string {
  return Buffer.from(words.join(' ')).toString('base64url')
}

/** The words in a cursor. Throws 400 unless each passes its check. */
export function wordsOf<const C extends readonly ((word: string) => boolean)[]>(
  cursor: string,
  checks: C,
): { [K in keyof C]: string } {
  const words = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (words.length !== checks.length || !checks.every((check, at) => check(words[at] ?? ''))) {
    throw invalidCursor()
  }
  return words as { [K in keyof C]: string }
}

export function isCurrency(word: string): boolean {
  return /^[A-Z]{3}$/.test(word)
}

/** Whether a word is an account code of the books: letters, and up to two parts that name its owner. */
export function isAccountCode(word: string): boolean {
  return /^[a-zA-Z]+(:[A-Za-z0-9-]+){0,2}$/.test(word) && word.length <= 100
}

export function isUuid(word: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(word)
}
