/** Above this number of different statements, new ones run unprepared, to bound the memory of the server. */
const MAX_PREPARED = 2000

const names = new Map<string, string>()
let generation = 0

/** The name under which a statement is prepared; undefined once there are too many. */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql)
  if (known || names.size >= MAX_PREPARED) return known
  const name = `${prefix()}${names.size}`
  names.set(sql, name)
  return name
}

/**
 * Whether a prepared statement would return other columns than when it was prepared, for example after another process
 * has migrated the database. It has done nothing, and may be sent again under a new name.
 */
export function isOutdated(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** Gives every statement a new name, on all connections, unless that was done after `outdated` was named. */
export function forgetNames(outdated: string | undefined): void {
  if (!outdated?.startsWith(prefix())) return
  generation += 1
  names.clear()
}

function prefix(): string {
  return `s${generation}_`
}
