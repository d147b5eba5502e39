import type { components } from '@moorage/client'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Tag, type Tone } from '../../../ui/index.ts'

export type AdminPayment = components['schemas']['AdminPayment']
export type Attempt = components['schemas']['AdminPaymentAttempt']

export const ATTEMPT_STATUSES = [
  ...(['failed', 'action_required', 'processing', 'open', 'created'] as const),
  ...(['paid', 'canceled', 'expired', 'unknown'] as const),
] as const

const TONES: Readonly<Record<Attempt['status'], Tone>> = {
  failed: 'failed',
  action_required: 'attention',
  processing: 'waiting',
  open: 'waiting',
  created: 'waiting',
  paid: 'active',
  canceled: 'ended',
  expired: 'ended',
  unknown: 'attention',
}

export function AttemptTag({ attempt: { status } }: { attempt: Attempt }) {
  const { payments } = useAdminTexts()
  return <Tag tone={TONES[status]}>{payments.attempt[status]}</Tag>
}

/** How a payment was made, such as "Visa •••• 4242", or through which gateway. */
export function useMethodOf() {
  const { billing } = useTexts()
  return ({ methodKind, methodBrand, methodLast4, gatewayName }: AdminPayment) => {
    const known = Object.entries(billing.methodKinds).find(([kind]) => kind === methodKind)?.[1]
    const brand = methodBrand && methodBrand.charAt(0).toUpperCase() + methodBrand.slice(1)
    const name = brand ?? known ?? gatewayName ?? '–'
    return methodLast4 ? `${name} •••• ${methodLast4}` : name
  }
}
