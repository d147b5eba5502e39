import { type Static, Type } from 'typebox'
import { Amount, Currency, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

/** A document that is written when a service ends; amounts include tax. */
const LeavingDocument = Type.Object({
  kind: OneOf(['invoice', 'credit_note', 'void', 'write_off']),
  invoiceId: Nullable(Id),
  totalCents: Amount,
})
export type LeavingDocument = Static<typeof LeavingDocument>

export const LeavingPreview = Resource('LeavingPreview', {
  endsAt: Timestamp,
  currency: Currency,
  owedCents: Type.Unsafe<Static<typeof Amount>>({
    ...{ type: 'integer', description: 'What stays due, or becomes due, for the time of use' },
  }),
  refundCents: Type.Unsafe<Static<typeof Amount>>({
    ...{ type: 'integer', description: 'What goes back the way it was paid' },
  }),
  creditCents: Type.Unsafe<Static<typeof Amount>>({
    ...{ type: 'integer', description: 'What becomes credit of the customer' },
  }),
  documents: Type.Array(LeavingDocument),
})
export type LeavingPreview = Static<typeof LeavingPreview>
