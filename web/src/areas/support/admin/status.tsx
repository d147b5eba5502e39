import { useAdminTexts } from '../../../texts/admin.tsx'
import { Tag, type Tone } from '../../../ui/index.ts'
import type { AdminTicket } from './reads.ts'

const TONES: Readonly<Record<AdminTicket['status'], Tone>> = {
  open: 'attention',
  answered: 'active',
  on_hold: 'waiting',
  closed: 'ended',
}

export function StatusTag({ status }: Pick<AdminTicket, 'status'>) {
  const { tickets } = useAdminTexts()
  return <Tag tone={TONES[status]}>{tickets.status[status]}</Tag>
}

/** Shown only for the priorities high and urgent. */
export function PriorityTag({ priority }: Pick<AdminTicket, 'priority'>) {
  const { tickets } = useAdminTexts()
  if (priority === 'low' || priority === 'normal') return null
  return (
    <Tag tone={priority === 'urgent' ? 'failed' : 'attention'}>{tickets.priorities[priority]}</Tag>
  )
}
