type Json = Record<string, unknown>

/** An API document with every reference replaced by what it points at. */
export function dereferenced<T>(document: T): T {
  const resolved = new Map<string, unknown>()
  function resolve(reference: string): unknown {
    if (!resolved.has(reference)) {
      const names = reference.replace(/^#\//, '').split('/')
      const found = names.reduce<unknown>((part, name) => (part as Json)?.[name], document)
      if (found === undefined) throw new Error(`${reference} points at nothing`)
      resolved.set(reference, walk(found))
    }
    return resolved.get(reference)
  }
  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: unknown }
    if (typeof $ref === 'string') return resolve($ref)
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, walk(it)]))
  }
  return walk(document) as T
}
