import { useTexts } from '../../texts/index.tsx'
import { Tag, type Tone } from '../../ui/index.ts'
import type { Ticket } from './reads.ts'

/** For the customer, an answered ticket needs attention. */
const TONES: Readonly<Record<Ticket['status'], Tone>> = {
  open: 'waiting',
  answered: 'active',
  on_hold: 'waiting',
  closed: 'ended',
}

export function TicketTag({ status }: Pick<Ticket, 'status'>) {
  const { tickets } = useTexts()
  return <Tag tone={TONES[status]}>{tickets.status[status]}</Tag>
}
