/** The id in another system that a search text can be; null if it is not a number. */
export function sourceIdOf(text: string): number | null {
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : null
}
