import type { Texts } from '../../texts/index.tsx'
import type { PaymentMethod } from './reads.ts'

type Named = Pick<PaymentMethod, 'kind' | 'brand' | 'last4' | 'label'>

/** A saved method as people know it, such as "Visa •••• 4242". */
export function methodName(
  { kind, brand, last4, label }: Named,
  { billing }: Pick<Texts, 'billing'>,
): string {
  const name = label ?? (brand ? capital(brand) : billing.methodKinds[kind])
  return last4 && !name.includes(last4) ? `${name} •••• ${last4}` : name
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
