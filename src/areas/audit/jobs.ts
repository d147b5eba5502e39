import { randomBytes } from 'node:crypto'
import { DAY_MS, type Instant, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { type Db, type Tx, transact } from '#platform/database/index.ts'
import { schedule } from '#platform/jobs.ts'
import { settingsOf } from '#tenants'
import { changesHash, GENESIS, hashAfter, personalHash } from './chain.ts'
import {
  deletePending,
  type EntryRow,
  eraseOldChanges,
  insertChanges,
  insertEntries,
  insertPersonal,
  listChains,
  listTenantsWaiting,
  lockHead,
  type PendingRow,
  pruneEntries,
  reduceAddresses,
  updateHead,
} from './queries.ts'
import { retentionEnd } from './rules.ts'
import { auditSettings } from './settings.ts'

const CHAIN_MS = 5 * SECOND_MS
const BATCH = 500
/** If a request has no answer for this long, its process has died. */
const ABANDONED_MS = 10 * MINUTE_MS
const ADDRESS_KEPT_MS = 365 * DAY_MS
const CHANGES_KEPT_MS = 365 * DAY_MS
const SALT_BYTES = 16

/** Adds waiting entries to the chain, in a job so that requests never wait for one another. */
export const chainEntries = schedule('audit.chain-entries', CHAIN_MS, ({ db, now }) =>
  chainWaiting(db, now),
)

/** Adds waiting entries to the chain, tenant by tenant and a batch at a time. */
export async function chainWaiting(db: Db, now: Instant): Promise<void> {
  const abandoned = later(now, -ABANDONED_MS)
  for (const tenantId of await listTenantsWaiting(db, abandoned)) {
    let taken = BATCH
    while (taken === BATCH) {
      taken = await transact(db, (tx) => chainBatch(tx, tenantId, { abandoned, limit: BATCH }))
    }
  }
}

/** Addresses are reduced to their network after a year (R8.4); the chain is unaffected. */
export const reduceOldAddresses = schedule(
  'audit.reduce-old-addresses',
  DAY_MS,
  async ({ now, transact: inTransaction }) => {
    const before = later(now, -ADDRESS_KEPT_MS)
    let reduced = BATCH
    while (reduced === BATCH) {
      reduced = await inTransaction((tx) => reduceAddresses(tx, { before, limit: BATCH }, now))
    }
  },
)

/** Values before and after an edit are erased after a year (R8.4); the entry of the edit stays. */
export const eraseOldDifferences = schedule(
  'audit.erase-old-differences',
  DAY_MS,
  async ({ now, transact: inTransaction }) => {
    const before = later(now, -CHANGES_KEPT_MS)
    let erased = BATCH
    while (erased === BATCH) {
      erased = await inTransaction((tx) => eraseOldChanges(tx, { before, limit: BATCH }, now))
    }
  },
)

/** Deletes entries that are older than the tenant keeps; the chain then begins later, and still verifies. */
export const pruneOldEntries = schedule(
  'audit.prune-old-entries',
  DAY_MS,
  async ({ db, now, transact: inTransaction }) => {
    for (const tenantId of await listChains(db)) {
      const { retentionMonths } = await settingsOf(db, tenantId, auditSettings)
      const before = retentionEnd(now, retentionMonths)
      let pruned = BATCH
      while (pruned === BATCH) {
        const oldest = { tenantId, before, limit: BATCH }
        pruned = await inTransaction((tx) => pruneEntries(tx, oldest, now))
      }
    }
  },
)

type Batch = Parameters<typeof deletePending>[2]

async function chainBatch(tx: Tx, tenantId: string, batch: Batch): Promise<number> {
  const head = await lockHead(tx, tenantId, GENESIS)
  const rows = await deletePending(tx, tenantId, batch)
  if (rows.length === 0) return 0
  const personal = rows.map((row) => personalOf(row))
  const edits = rows.flatMap((row) => changesOf(row) ?? [])
  const hashes = new Map(edits.map((it) => [it.id, changesHash(it)]))
  let { sequence, hash } = head
  const entries: EntryRow[] = []
  for (const [index, row] of rows.entries()) {
    const { address: _personal, changes: _changes, ...content } = row
    const part = personal[index]
    if (!part) throw new Error('Every entry has a personal part')
    sequence += 1
    const entry = {
      ...{ ...content, sequence, personalHash: personalHash(part) },
      changesHash: hashes.get(row.id) ?? null,
    }
    hash = hashAfter(hash, entry)
    entries.push({ ...entry, hash })
  }
  await insertEntries(tx, entries)
  await insertPersonal(tx, personal)
  await insertChanges(tx, edits)
  await updateHead(tx, tenantId, { sequence, hash })
  return rows.length
}

function personalOf({ tenantId, id, address, occurredAt }: PendingRow) {
  return { tenantId, id, address, occurredAt, salt: randomBytes(SALT_BYTES) }
}

function changesOf({ tenantId, id, changes, occurredAt }: PendingRow) {
  return changes && { tenantId, id, changes, occurredAt, salt: randomBytes(SALT_BYTES) }
}
