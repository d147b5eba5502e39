import type { Panel } from '../../panel.ts'
import type { DataRule, RuleSet } from '../../rules/validate.ts'
import { same } from '../../state/data.ts'
import type { Allocation } from '../../state/rows.ts'

/** What the panel asks of the fields of a server, wherever they come in. */
export const SERVER_RULES = {
  name: ['required|string|between:1,191'],
  description: ['nullable|string'],
  image: ['required|string|max:191', 'regex:/^~?[\\w./\\-:@ ]*$/'],
  startup: ['required|string'],
  memory: ['required|numeric|min:0'],
  swap: ['required|numeric|min:-1'],
  disk: ['required|numeric|min:0'],
  io: ['required|numeric|between:10,1000'],
  cpu: ['required|numeric|min:0'],
  threads: ['nullable', 'regex:/^[0-9-,]+$/'],
  featureLimit: ['present|nullable|integer|min:0'],
  allocationLimit: ['sometimes|nullable|integer|min:0'],
} satisfies Record<string, RuleSet>

export function externalIdRules(panel: Panel, ownId: number | null): RuleSet {
  return [
    'sometimes|nullable|string|between:1,191',
    { name: 'unique', passes: (value) => !externalIdTaken(panel, String(value), ownId) },
  ]
}

export function externalIdTaken({ data }: Panel, value: string, ownId: number | null): boolean {
  return !!data.servers.first((it) => it.id !== ownId && same(it.externalId, value))
}

export function userRules({ data }: Panel): RuleSet {
  const passes = (value: unknown) => data.users.find(Number(value)) !== undefined
  return ['required|integer', { name: 'exists', passes }]
}

export function eggRules({ data }: Panel): RuleSet {
  const passes = (value: unknown) => data.eggs.find(Number(value)) !== undefined
  return ['required', { name: 'exists', passes }]
}

export function allocationExists({ data }: Panel, matches: (it: Allocation) => boolean): DataRule {
  const passes = (value: unknown) => {
    const allocation = data.allocations.find(Number(value))
    return allocation !== undefined && matches(allocation)
  }
  return { name: 'exists', passes }
}
