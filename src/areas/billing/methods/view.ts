import type { MethodRow } from './queries.ts'

/** A saved payment method as its owner and staff see it. */
export function methodView(row: MethodRow) {
  const { id, gatewayId, kind, brand, last4, expMonth, expYear, label, createdAt } = row
  return {
    ...{ id, gatewayId, kind, brand, last4, expMonth, expYear, label },
    ...{ default: row.isDefault, createdAt },
  }
}
