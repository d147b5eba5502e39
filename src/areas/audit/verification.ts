import type { Db } from '#platform/database/index.ts'
import { GENESIS, hashAfter, personalHash } from './chain.ts'
import { findHead, listChain } from './queries.ts'

const BATCH = 1000

/** What the check of a chain found. `brokenAt` is the first place that does not fit. */
export type Verification = {
  valid: boolean
  entries: number
  head: { sequence: number; hash: string }
  brokenAt: number | null
  reason: 'missing' | 'changed' | 'personal_changed' | 'cut_off' | null
}

/** Reads a tenant's whole chain, a batch at a time, and checks every link. */
export async function verifyChain(db: Db, tenantId: string): Promise<Verification> {
  // Before the entries: what is chained while this reads is beyond it.
  const end = (await findHead(db, tenantId)) ?? { sequence: 0, hash: GENESIS }
  const head = { sequence: end.sequence, hash: end.hash.toString('hex') }
  let last = 0
  let hash: Buffer = GENESIS
  function broken(brokenAt: number, reason: Verification['reason']): Verification {
    return { valid: false, entries: last, head, brokenAt, reason }
  }
  for (;;) {
    const rows = await listChain(db, tenantId, last, BATCH)
    for (const { salt, address, hash: stored, ...entry } of rows) {
      if (entry.sequence > end.sequence) break
      if (entry.sequence !== last + 1) return broken(last + 1, 'missing')
      hash = hashAfter(hash, entry)
      if (!hash.equals(stored)) return broken(entry.sequence, 'changed')
      if (salt && !personalHash({ salt, address }).equals(entry.personalHash)) {
        return broken(entry.sequence, 'personal_changed')
      }
      last = entry.sequence
    }
    if (rows.length < BATCH || last >= end.sequence) break
  }
  if (last !== end.sequence) return broken(last + 1, 'cut_off')
  if (!hash.equals(end.hash)) return broken(last, 'changed')
  return { valid: true, entries: last, head, brokenAt: null, reason: null }
}
