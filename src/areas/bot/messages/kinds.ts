import type { Kind } from '#notifications'

/** Kinds whose link opens something by itself, for whoever has it: bots are not given it. */
const OPENING: ReadonlySet<string> = new Set<Kind>(['invitation'])

/** The path of a notification as bots may have it. */
export function linkFor({ kind, link }: { kind: string; link: string | null }): string | null {
  return OPENING.has(kind) ? null : link
}
