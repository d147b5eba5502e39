import { createHash } from 'node:crypto'
import type { Row } from '#platform/database/index.ts'

type EntryRow = Row<'audit.entries'>
export type Content = Omit<EntryRow, 'hash'>

/** The hash before the first entry of a tenant. */
export const GENESIS = Buffer.alloc(32)

/** The hash of an entry that follows another: over that one's hash and everything this one says. */
export function hashAfter(previous: Buffer, entry: Content): Buffer {
  return createHash('sha256').update(previous).update(canonical(entry)).digest()
}

/** The hash that stands for the personal part of an entry. The salt keeps addresses from being tried out. */
export function personalHash({ salt, address }: { salt: Buffer; address: string | null }): Buffer {
  return createHash('sha256').update(salt).update(JSON.stringify({ address })).digest()
}

/** The hash that stands for what an edit changed. The salt keeps erased values from being tried out. */
export function changesHash({ salt, changes }: { salt: Buffer; changes: unknown }): Buffer {
  return createHash('sha256').update(salt).update(sorted(changes)).digest()
}

/** One text for one value, in whatever order the database returns its keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** One text for one content: keys in the order of the alphabet, bytes as hexadecimal. */
function canonical(entry: Content): string {
  const { personalHash: personal, changesHash: changes, ...rest } = entry
  const plain: Record<string, unknown> = { ...rest, personalHash: personal.toString('hex') }
  const fields = FIELDS.map((key) => [key, plain[key] ?? null])
  // Only where there is one: the hash of other entries is what it was before changes were recorded.
  return JSON.stringify(changes ? [...fields, ['changesHash', changes.toString('hex')]] : fields)
}

const FIELDS: readonly (keyof Content)[] = (
  [
    ...(['tenantId', 'sequence', 'id', 'actorId', 'actorKind', 'via', 'credentialId'] as const),
    ...(['impersonatorId', 'method', 'route', 'objectId', 'requestId', 'changed'] as const),
    ...(['statusCode', 'occurredAt', 'personalHash'] as const),
  ] as const
).toSorted()
