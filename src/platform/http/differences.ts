import { isDeepStrictEqual } from 'node:util'
import { isObject } from './components.ts'

/** One value that an edit changed, by its path in the object: `brand.name`. */
export type Change = { readonly path: string; readonly before: unknown; readonly after: unknown }

/** The field with the time of the last edit; the audit entry has that itself. */
const UPDATED = 'updatedAt'
const MOST_CHANGES = 50
const MOST_CHARACTERS = 500
/** Fields about credentials: only the fact that they changed is recorded, never a value. */
const SECRET = /secret|password|token|api_?key|private|credential/i
/** Recorded in place of a value that is not shown. */
export const HIDDEN = '•••'

/**
 * The values that differ between two representations of an object, limited to its editable fields if it has some
 * of them. Objects are compared field by field, lists as a whole. Long values are cut, secret ones replaced.
 */
export function differencesOf(
  { before, after }: { readonly before: unknown; readonly after: unknown },
  fields: ReadonlySet<string>,
): Change[] {
  if (!isObject(before) || !isObject(after)) return []
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const editable = names.filter((name) => fields.has(name))
  return (editable.length > 0 ? editable : names.filter((name) => name !== UPDATED))
    .flatMap((name) => changesAt(name, before[name], after[name]))
    .slice(0, MOST_CHANGES)
}

function changesAt(path: string, before: unknown, after: unknown): Change[] {
  if (isDeepStrictEqual(before, after)) return []
  if (SECRET.test(path)) return [{ path, before: HIDDEN, after: HIDDEN }]
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => changesAt(`${path}.${name}`, before[name], after[name]))
  }
  return [{ path, before: shortened(before), after: shortened(after) }]
}

/** A value as it is recorded: without secrets inside of it, and cut after some hundred characters. */
function shortened(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'string') return cut(value)
  if (value === null || typeof value !== 'object') return value
  const shown = JSON.stringify(value, (key, inner) => (SECRET.test(key) ? HIDDEN : inner))
  return shown.length > MOST_CHARACTERS ? cut(shown) : JSON.parse(shown)
}

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
