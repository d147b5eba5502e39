import { badRequest } from '#lib/problem.ts'

/** How many tags a ticket has at most. */
export const MOST_TAGS = 10
/** How many characters a tag has at most. */
export const MOST_CHARACTERS = 40

/** A tag as it is stored and compared: trimmed and in lower case, with single spaces. */
export function tagFrom(typed: string): string {
  return typed.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Tags as they are stored, each once and in order. Throws 400 for one that is too long in lower case. */
export function tagsFrom(typed: readonly string[]): string[] {
  const details = typed.flatMap((text, index) =>
    [...tagFrom(text)].length > MOST_CHARACTERS
      ? [{ path: `tags.${index}`, message: 'is too long' }]
      : [],
  )
  if (details.length > 0) throw badRequest('A tag is too long.', details)
  return [...new Set(typed.map(tagFrom))].sort()
}
