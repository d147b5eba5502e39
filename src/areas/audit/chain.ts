import { createHash } from 'node:crypto'
import type { Row } from '#platform/database/index.ts'

type EntryRow = Row<'audit.entries'>
export type Content = Omit<EntryRow, 'hash'>

/** The hash before the first entry of a tenant. */
export const GENESIS = Buffer.alloc(32)

/** The hash of an entry that follows another: over the previous hash and the entry's whole content. */
export function hashAfter(previous: Buffer, entry: Content): Buffer {
  return createHash('sha256').update(previous).update(canonical(entry)).digest()
}

/** The hash of an entry's personal part. The salt prevents finding the address by trying all addresses. */
export function personalHash({ salt, address }: { salt: Buffer; address: string | null }): Buffer {
  return createHash('sha256').update(salt).update(JSON.stringify({ address })).digest()
}

/** The hash of what an edit changed. The salt prevents finding erased values by trying. */
export function changesHash({ salt, changes }: { salt: Buffer; changes: unknown }): Buffer {
  return createHash('sha256').update(salt).update(sorted(changes)).digest()
}

/** One text for equal values, in whatever order the database returns their keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** One text for equal contents: keys in alphabetical order, bytes as hexadecimal. */
function canonical(entry: Content): string {
  const { personalHash: personal, changesHash: changes, ...rest } = entry
  const plain: Record<string, unknown> = { ...rest, personalHash: personal.toString('hex') }
  const fields = FIELDS.map((key) => [key, plain[key] ?? null])
  // Only if there is one: the hash of entries without changes is as it was before changes were recorded.
  return JSON.stringify(changes ? [...fields, ['changesHash', changes.toString('hex')]] : fields)
}

const FIELDS: readonly (keyof Content)[] = (
  [
    ...(['tenantId', 'sequence', 'id', 'actorId', 'actorKind', 'via', 'credentialId'] as const),
    ...(['impersonatorId', 'method', 'route', 'objectId', 'requestId', 'changed'] as const),
    ...(['statusCode', 'occurredAt', 'personalHash'] as const),
  ] as const
).toSorted()
