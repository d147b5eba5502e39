/** The parts of an operation from which its name is created. */
type Nameable = {
  readonly method: string
  readonly path: string
  /** Whether the response is a list. */
  readonly isList: boolean
}

/**
 * The stable name of an operation, for generated clients: `services.upgrade`, `admin.users.list`. It
 * depends only on the method, the path and the kind of the response, which are parts of the contract
 * themselves. A route whose name would be awkward declares an `operationId` in its schema.
 */
export function operationIdOf({ method, path, isList }: Nameable): string {
  const parts = path.replace(/^\/v1\//, '').split('/')
  const words = parts.filter((part) => !part.startsWith('{')).map(camelCase)
  const isMember = parts.at(-1)?.startsWith('{') ?? false
  const isCollection = !isMember && /[^su]s$/.test(words.at(-1) ?? '')
  if (method === 'POST' && !isMember && !isCollection) return words.join('.')
  const reads = isList && isCollection ? 'list' : 'get'
  const verbs: Record<string, string> = {
    ...{ GET: reads, POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete' },
  }
  return [...words, verbs[method] ?? method.toLowerCase()].join('.')
}

function camelCase(segment: string): string {
  return segment
    .replace(/^\.+/, '')
    .replace(/\.\w+$/, '')
    .replace(/[-.](\w)/g, (_match, letter: string) => letter.toUpperCase())
}
