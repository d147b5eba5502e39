import type { Operations } from './operation.ts'
import { accountOperations } from './resources/account.ts'
import { balanceOperations } from './resources/balance.ts'
import { catalogOperations } from './resources/catalog.ts'
import { chargeOperations } from './resources/charges.ts'
import { customerOperations } from './resources/customers.ts'
import { disputeOperations } from './resources/disputes.ts'
import { endpointOperations } from './resources/endpoints.ts'
import { eventOperations } from './resources/events.ts'
import { methodOperations } from './resources/methods.ts'
import { paymentOperations } from './resources/payments.ts'
import { portalOperations } from './resources/portal.ts'
import { refundOperations } from './resources/refunds.ts'
import { sessionOperations } from './resources/sessions.ts'
import { setupOperations } from './resources/setups.ts'

/** Every operation of the API, by its route. */
export const allOperations: Operations = {
  ...accountOperations,
  ...balanceOperations,
  ...catalogOperations,
  ...chargeOperations,
  ...customerOperations,
  ...disputeOperations,
  ...endpointOperations,
  ...eventOperations,
  ...methodOperations,
  ...paymentOperations,
  ...portalOperations,
  ...refundOperations,
  ...sessionOperations,
  ...setupOperations,
}
