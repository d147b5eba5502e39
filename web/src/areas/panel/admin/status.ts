import type { Tone } from '../../../ui/index.ts'
import type { PanelNode } from './reads.ts'

export const NODE_TONES: Readonly<Record<PanelNode['status'], Tone>> = {
  ...{ ok: 'active', unknown: 'waiting', unreachable: 'failed', unauthorized: 'failed' },
}
