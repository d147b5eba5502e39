import { useTexts } from '../../../texts/index.tsx'
import { I, type Icon, Tag, type Tone } from '../../../ui/index.ts'
import type { Incident } from './reads.ts'

type Status = Incident['status']

const LOOKS: Readonly<Record<Status, readonly [Tone, Icon]>> = {
  draft: ['ended', I.Edit],
  investigating: ['failed', I.AlertTriangle],
  identified: ['attention', I.Search],
  monitoring: ['attention', I.Eye],
  resolved: ['active', I.CircleCheck],
  scheduled: ['waiting', I.History],
  in_progress: ['attention', I.Settings],
  completed: ['active', I.CircleCheck],
  canceled: ['ended', I.X],
}

/** The tone and the icon of a status. */
export function lookOf(status: Status) {
  const [tone, icon] = LOOKS[status]
  return { tone, icon }
}

export function StatusTag({ status }: { status: Status }) {
  const { incidents } = useTexts()
  return <Tag tone={lookOf(status).tone}>{incidents.statuses[status]}</Tag>
}

const OVER: readonly Status[] = ['resolved', 'completed', 'canceled']

/** Whether nothing more can be said of it. */
export function isOver({ status }: Pick<Incident, 'status'>): boolean {
  return OVER.includes(status)
}
