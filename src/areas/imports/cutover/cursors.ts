import { invalidCursor } from '#lib/problem.ts'

/** A cursor of a number; opaque to callers. */
export function numberCursorOf(number: number): string {
  return Buffer.from(`${number}`).toString('base64url')
}

/** The number in a cursor. Throws 400. */
export function numberIn(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,10}$/.test(text)) throw invalidCursor()
  return Math.min(Number(text), 2 ** 31 - 1)
}
