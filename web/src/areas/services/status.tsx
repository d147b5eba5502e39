import { type Texts, useTexts } from '../../texts/index.tsx'
import { Tag, type Tone } from '../../ui/index.ts'

/** The order in which people look for them. */
export const STATUSES = [
  'active',
  'suspended',
  'provisioning',
  'pending',
  'failed',
  'ended',
] as const
export type ServiceStatus = (typeof STATUSES)[number]
/** As reported by the panel; null if it was not asked, or did not respond. */
type PowerState = 'offline' | 'starting' | 'running' | 'stopping' | 'missing' | null

const TONES: Readonly<Record<ServiceStatus, Tone>> = {
  pending: 'waiting',
  provisioning: 'waiting',
  active: 'active',
  suspended: 'attention',
  failed: 'failed',
  ended: 'ended',
}
const POWER_TONES = {
  running: 'active',
  offline: 'ended',
  starting: 'waiting',
  stopping: 'waiting',
} as const

/** The state of a service, as a tone and a word: the panel's state if the service is active. */
export function serviceTone(
  status: ServiceStatus,
  power: PowerState,
  { services }: Pick<Texts, 'services'>,
): { tone: Tone; text: string } {
  if (status === 'active' && power && power !== 'missing') {
    return { tone: POWER_TONES[power], text: services.status[power] }
  }
  return { tone: TONES[status], text: services.status[status] }
}

export function ServiceTag({ status, power }: { status: ServiceStatus; power: PowerState }) {
  const { tone, text } = serviceTone(status, power, useTexts())
  return <Tag tone={tone}>{text}</Tag>
}
