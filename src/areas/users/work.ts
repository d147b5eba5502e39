import { Type } from 'typebox'
import { Email, Id, OneOf } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

/** Mails the link that confirms an address or sets a new password. */
export const sendLink = work(
  'users.send-link',
  Type.Object({ tenantId: Id, email: Email, purpose: OneOf(['verify', 'reset']) }),
)

/** Tells the owner of an address that it was registered again, and offers a new password. */
export const offerReset = work('users.offer-reset', Type.Object({ tenantId: Id, email: Email }))

/** Asks the EU's service about the VAT number of a person. */
export const checkVatNumber = work(
  'users.check-vat-number',
  Type.Object({ tenantId: Id, userId: Id }),
)

/** Opens the account of a registration that was accepted without looking its address up. */
export const openRequestedAccount = work(
  'users.open-requested-account',
  Type.Object({ tenantId: Id, email: Email, userId: Id, sealed: Type.String() }),
)
