import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import type { AttemptRow } from '../attempts/queries.ts'
import { paymentFailed } from '../events.ts'
import type { Decline } from '../gateways/error.ts'

/** An attempt's columns for why it failed. */
export function failureOf({ code, retry, customerMessageKey }: Decline) {
  return { failureCode: code, failureKey: customerMessageKey, failureRetry: retry }
}

/** Emits that an attempt ended without money. */
export async function emitFailure(
  tx: Tx,
  { tenantId, userId, id, purpose, failureCode, failureRetry }: AttemptRow,
  invoiceIds: readonly string[],
): Promise<void> {
  await emit(tx, paymentFailed, {
    ...{ tenantId, userId, attemptId: id, invoiceIds: [...invoiceIds], purpose },
    ...{ code: failureCode ?? 'generic_decline', retry: failureRetry },
  })
}
