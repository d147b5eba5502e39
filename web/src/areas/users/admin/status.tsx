import { useAdminTexts } from '../../../texts/admin.tsx'
import { Tag, type Tone } from '../../../ui/index.ts'
import type { Person } from './reads.ts'

const TONES: Readonly<Record<Person['status'], Tone>> = {
  active: 'active',
  suspended: 'attention',
  deleted: 'ended',
}

export function PersonTag({ status }: Pick<Person, 'status'>) {
  const { people } = useAdminTexts()
  return <Tag tone={TONES[status]}>{people.status[status]}</Tag>
}
