import { useTexts } from '../../texts/index.tsx'
import { Select } from '../../ui/index.ts'

const REASONS = [
  ...(['too_expensive', 'not_needed', 'missing_feature', 'performance'] as const),
  ...(['support', 'switched', 'other'] as const),
]

/** Why a customer cancels. */
export type Reason = (typeof REASONS)[number]

type Props = {
  readonly value: Reason | null
  readonly change: (reason: Reason | null) => void
}

/** Asks for the reason of a cancellation; it may stay empty. */
export function ReasonField({ value, change }: Props) {
  const { services } = useTexts()
  return (
    <Select
      className="below"
      label={services.reason}
      value={value}
      clearable
      data={REASONS.map((it) => ({ value: it, label: services.reasons[it] }))}
      onChange={(chosen) => change(chosen as Reason | null)}
    />
  )
}
