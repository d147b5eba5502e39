-- What a document says of the payments that were there when it was made: null where they are not known.
comment on column billing.documents.facts is
  'json: { paidCents: number; payments?: { paidOn: string | null; means: ''card'' | ''sepa_debit'' | ''paypal'' | ''bank_transfer'' | ''credit'' | ''other''; detail: string | null; amountCents: number }[]; brandName: string; color: string | null; footer: string | null; logo?: string | null }';
