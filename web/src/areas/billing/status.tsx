import { useTexts } from '../../texts/index.tsx'
import { Tag, type Tone } from '../../ui/index.ts'
import type { Invoice, Order } from './reads.ts'

const TONES: Readonly<Record<Invoice['displayStatus'], Tone>> = {
  draft: 'ended',
  open: 'waiting',
  paid: 'active',
  void: 'ended',
  uncollectible: 'ended',
  refunded: 'ended',
  partially_refunded: 'ended',
  overdue: 'failed',
  partially_paid: 'attention',
}
const ORDER_TONES: Readonly<Record<Order['status'], Tone>> = {
  pending: 'waiting',
  paid: 'waiting',
  fulfilled: 'active',
  canceled: 'ended',
}

export function InvoiceTag({
  invoice: { displayStatus },
}: {
  invoice: Pick<Invoice, 'displayStatus'>
}) {
  const { billing } = useTexts()
  return <Tag tone={TONES[displayStatus]}>{billing.status[displayStatus]}</Tag>
}

export function OrderTag({ order: { status } }: { order: Pick<Order, 'status'> }) {
  const { billing } = useTexts()
  return <Tag tone={ORDER_TONES[status]}>{billing.orderStatus[status]}</Tag>
}
