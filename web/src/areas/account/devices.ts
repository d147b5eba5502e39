const BROWSERS = [
  ...[['Edg/', 'Edge'] as const, ['OPR/', 'Opera'] as const, ['Firefox/', 'Firefox'] as const],
  ...[['Chrome/', 'Chrome'] as const, ['Safari/', 'Safari'] as const],
]
const SYSTEMS = [
  ...[['Windows', 'Windows'] as const, ['Android', 'Android'] as const],
  ...[['iPhone', 'iPhone'] as const, ['iPad', 'iPad'] as const],
  ...[['Mac OS X', 'macOS'] as const, ['Linux', 'Linux'] as const],
]

/** Browser and system, if the user agent contains known ones; else the beginning of the user agent itself. */
export function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([mark]) => userAgent.includes(mark))?.[1]
  const parts = [find(BROWSERS), find(SYSTEMS)].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : userAgent.slice(0, 60)
}
