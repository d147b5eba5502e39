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

/** One text for one content: keys in the order of the alphabet, bytes as hexadecimal. */
function canonical(entry: Content): string {
  const { personalHash: personal, ...rest } = entry
  const plain: Record<string, unknown> = { ...rest, personalHash: personal.toString('hex') }
  return JSON.stringify(FIELDS.map((key) => [key, plain[key] ?? null]))
}

const FIELDS: readonly (keyof Content)[] = (
  [
    ...(['tenantId', 'sequence', 'id', 'actorId', 'actorKind', 'via', 'credentialId'] as const),
    ...(['impersonatorId', 'method', 'route', 'objectId', 'requestId', 'changed'] as const),
    ...(['statusCode', 'occurredAt', 'personalHash'] as const),
  ] as const
).toSorted()
