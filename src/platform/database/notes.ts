/** Something that a transaction did, which is logged and counted once it is committed. */
export type Note =
  | {
      readonly what: 'event'
      readonly name: string
      readonly facts: object
      /** The purchase to which it belongs. */
      readonly purchaseId?: string
    }
  | {
      readonly what: 'money'
      /** What moved it: `payment_received`, `refund`. */
      readonly kind: string
      readonly currency: string
      readonly amountCents: number
    }

/** The ids in an event or a job, which may be logged, unlike the rest of its content. */
export function idsOf(facts: object): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([name, value]) =>
        (name.endsWith('Id') && typeof value === 'string') ||
        (name.endsWith('Ids') && Array.isArray(value)),
    ),
  )
}
