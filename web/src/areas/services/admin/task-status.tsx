import { useAdminTexts } from '../../../texts/admin.tsx'
import { Tag, type Tone } from '../../../ui/index.ts'
import type { Task } from './reads.ts'

const TONES: Readonly<Record<Task['state'], Tone>> = {
  open: 'waiting',
  claimed: 'waiting',
  done: 'active',
  failed: 'failed',
  canceled: 'ended',
}

/** The state of a task; a late one is marked. */
export function TaskTag({ task: { state, overdue } }: { task: Task }) {
  const { tasks } = useAdminTexts()
  if (overdue) return <Tag tone="attention">{tasks.overdue}</Tag>
  return <Tag tone={TONES[state]}>{tasks.states[state]}</Tag>
}
