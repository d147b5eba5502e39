/** Something a transaction did, for logs and measurements to hear of once it is committed. */
export type Note =
  | { readonly what: 'event'; readonly name: string; readonly facts: object }
  | {
      readonly what: 'money'
      /** What moved it: `payment_received`, `refund`. */
      readonly kind: string
      readonly currency: string
      readonly amountCents: number
    }

/** The ids that an event or a job names: what may stand in a log, whatever else it tells. */
export function idsOf(facts: object): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([name, value]) =>
        (name.endsWith('Id') && typeof value === 'string') ||
        (name.endsWith('Ids') && Array.isArray(value)),
    ),
  )
}
