import { setImmediate } from 'node:timers/promises'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { changesHash, GENESIS, hashAfter, personalHash } from './chain.ts'
import { findHead, listChain } from './queries.ts'

const BATCH = 1000

/** The result of checking a chain. `brokenAt` is the first sequence number that does not fit. */
export type Verification = {
  valid: boolean
  entries: number
  head: { sequence: number; hash: string }
  /** The last entry that was deleted because its retention ended; null if there is none. */
  prunedTo: { sequence: number; hash: string; at: Instant } | null
  brokenAt: number | null
  reason: 'missing' | 'changed' | 'personal_changed' | 'cut_off' | null
}

/** Reads a tenant's whole chain, a batch at a time, and checks every link. */
export async function verifyChain(db: Db, tenantId: string): Promise<Verification> {
  for (;;) {
    // Read before the entries: what is chained during the check is beyond this end.
    const end = (await findHead(db, tenantId)) ?? UNBEGUN
    const found = await verifyTo(db, tenantId, end)
    const after = (await findHead(db, tenantId)) ?? UNBEGUN
    // Entries that were pruned during the check are not missing.
    if (found.valid || after.anchorSequence === end.anchorSequence) return found
  }
}

type End = NonNullable<Awaited<ReturnType<typeof findHead>>>

const UNBEGUN: End = {
  sequence: 0,
  hash: GENESIS,
  anchorSequence: 0,
  anchorHash: GENESIS,
  prunedAt: null,
}

async function verifyTo(db: Db, tenantId: string, end: End): Promise<Verification> {
  const { anchorSequence: first, anchorHash, prunedAt } = end
  const head = { sequence: end.sequence, hash: end.hash.toString('hex') }
  const prunedTo = prunedAt && { sequence: first, hash: anchorHash.toString('hex'), at: prunedAt }
  let last = first
  let hash: Buffer = anchorHash
  function broken(brokenAt: number, reason: Verification['reason']): Verification {
    return { valid: false, entries: last - first, head, prunedTo, brokenAt, reason }
  }
  for (;;) {
    const rows = await listChain(db, tenantId, last, BATCH)
    for (const row of rows) {
      const { personalId, salt, address, hash: stored, ...more } = row
      const { changesId: _id, changesSalt: _salt, changes: _changes, ...entry } = more
      if (entry.sequence > end.sequence) break
      if (entry.sequence !== last + 1) return broken(last + 1, 'missing')
      hash = hashAfter(hash, entry)
      if (!hash.equals(stored)) return broken(entry.sequence, 'changed')
      const whole = salt ? personalHash({ salt, address }).equals(entry.personalHash) : personalId
      if (!whole) return broken(entry.sequence, 'personal_changed')
      if (!areChangesWhole(row)) return broken(entry.sequence, 'personal_changed')
      last = entry.sequence
    }
    if (rows.length < BATCH || last >= end.sequence) break
    // The embedded database answers in the same turn of the event loop: lets other requests run here.
    await setImmediate()
  }
  if (last !== end.sequence) return broken(last + 1, 'cut_off')
  if (!hash.equals(end.hash)) return broken(last, 'changed')
  return { valid: true, entries: last - first, head, prunedTo, brokenAt: null, reason: null }
}

type ChainRow = Awaited<ReturnType<typeof listChain>>[number]

/** Whether the recorded changes of an entry match its hash, or were erased. */
function areChangesWhole({ changesHash: recorded, changesId, changesSalt, changes }: ChainRow) {
  if (recorded === null || changesId === null) return recorded === null && changesId === null
  return changesSalt === null || changesHash({ salt: changesSalt, changes }).equals(recorded)
}
