const MAX_KEPT = 2000
const MAX_LENGTH = 1000
const OPERATION = /\b(?:select|insert|update|delete|merge|begin|commit|rollback|set)\b/i
const TABLE = /\b(?:from|into|update|join)\s+("?[a-z_]+"?\."?[a-z_]+)/i
const kept = new Map<string, Fingerprint>()

/** A statement without values: its text, and a short name with its operation and table. */
export type Fingerprint = { readonly name: string; readonly text: string }

/** The fingerprint of a statement: the same for all that differ only in values. */
export function fingerprintOf(sql: string): Fingerprint {
  const known = kept.get(sql)
  if (known) return known
  const text = withoutValues(sql)
  const outer = withoutParts(text)
  const [operation = 'SQL'] = OPERATION.exec(outer) ?? []
  const [, table = ''] = TABLE.exec(outer) ?? TABLE.exec(text) ?? []
  const name = [operation.toUpperCase(), table.replaceAll('"', '')].filter(Boolean).join(' ')
  const fingerprint = { name, text }
  if (kept.size < MAX_KEPT) kept.set(sql, fingerprint)
  return fingerprint
}

/** The text outside all brackets: of nested statements, the outer one. */
function withoutParts(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, ' ')
  return shorter === text ? text : withoutParts(shorter)
}

function withoutValues(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*.*?\*\//gs, ' ')
    .replace(/\$(\w*)\$.*?\$\1\$/gs, '?')
    .replace(/\bE?'(?:[^']|'')*'/gi, '?')
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/\$\d+/g, '?')
    .replace(/(?<![\w.])\d+(?:\.\d+)?\b/g, '?')
    .replace(/\s+/g, ' ')
    .replace(/\(\s*\?(?:\s*,\s*\?)*\s*\)/g, '(?)')
    .replace(/\(\?\)(?:\s*,\s*\(\?\))+/g, '(?)')
    .trim()
    .slice(0, MAX_LENGTH)
}
