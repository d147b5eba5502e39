import { isId } from '#lib/id.ts'
import type { RecordedRequest, RequestRecorder } from '#platform/area.ts'
import { batched } from '#platform/batch.ts'
import { isRefusedRow, write } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import {
  insertPending,
  insertUnchanged,
  type NewPending,
  updateAnswer,
  updateChanges,
} from './queries.ts'
import { isWorthAnEntry, recordedAddress } from './rules.ts'

const NOT_FOUND = 404
const MOST_AT_ONCE = 200

/**
 * Writes the entry of a change in its transaction, and the entry of a refused or read request after it. No
 * answer is sent before its entry is written; entries of simultaneous requests are written together.
 */
export function recorder({ database, log }: Deps): RequestRecorder {
  const written = batched<NewPending>(
    (tenantId, rows) => write(database.of(tenantId), (tx) => insertUnchanged(tx, rows)),
    { most: MOST_AT_ONCE, isOwnFault: isRefusedRow },
  )
  return {
    async began(tx, request) {
      await insertPending(tx, rowOf(request, { changed: true, statusCode: null }))
    },
    edited: (tx, { tenantId, entryId: id }, changes) =>
      updateChanges(tx, { tenantId, id }, changes),
    wants: isWorthAnEntry,
    async ended(request, statusCode, began) {
      const { tenantId, entryId: id } = request
      try {
        if (began) {
          const actorId = request.caller ? null : request.provenId
          const answer = { statusCode, ...(actorId && { actorId }) }
          return await write(database.of(tenantId), (tx) =>
            updateAnswer(tx, { tenantId, id }, answer),
          )
        }
        const row = rowOf(request, { changed: false, statusCode })
        // An object that the caller cannot see is not named in their entry: it may belong to another person.
        await written(tenantId, statusCode === NOT_FOUND ? { ...row, objectId: null } : row)
      } catch (error) {
        // The request is done and its entry exists: the answer must not become an error.
        log.error({ err: error, requestId: request.requestId }, 'the audit entry is not complete')
      }
    },
  }
}

function rowOf(
  { caller, tenantId, entryId, method, route, objectId, requestId, address, now }: RecordedRequest,
  { changed, statusCode }: { changed: boolean; statusCode: number | null },
): NewPending {
  return {
    tenantId,
    id: entryId,
    // Bots and daemons are not people: their credential identifies them.
    actorId: caller && isId(caller.userId) ? caller.userId : null,
    actorKind: caller?.kind ?? null,
    via: caller?.via ?? null,
    credentialId: caller?.credentialId ?? null,
    impersonatorId: caller?.impersonatorId ?? null,
    ...{ method, route, objectId, requestId, changed, statusCode },
    address: recordedAddress(address),
    occurredAt: now,
  }
}
