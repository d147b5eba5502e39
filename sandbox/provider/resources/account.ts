import { type Operations, operation } from '../operation.ts'
import type { Sandbox } from '../sandbox.ts'

function retrieve({ keys }: Sandbox): object {
  return {
    id: keys.accountId,
    object: 'account',
    charges_enabled: true,
    country: 'FR',
    default_currency: 'eur',
    details_submitted: true,
    email: null,
  }
}

export const accountOperations: Operations = { 'GET /v1/account': operation(retrieve) }
