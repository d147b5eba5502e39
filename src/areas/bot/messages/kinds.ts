import type { Kind } from '#notifications'

/** Kinds whose link gives access to anyone who has it: bots do not get the link. */
const OPENING: ReadonlySet<string> = new Set<Kind>(['invitation'])

/** The path of a notification that bots may see; null for kinds whose link gives access. */
export function linkFor({ kind, link }: { kind: string; link: string | null }): string | null {
  return OPENING.has(kind) ? null : link
}
