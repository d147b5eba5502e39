import { type Detail, detail } from '#lib/problem.ts'
import { type EggRow, type Provisioning, validateEnvironment } from '#panel'
import { type Applied, amountOf, appliedOf, variablesOf } from './effects.ts'
import { type Chosen, isNothing, type OptionTerms, RESOURCES, type Resource } from './terms.ts'

/** What an option is offered for: the servers of a product, and their egg if it is known. */
export type Target = {
  readonly provisioning: Provisioning
  readonly egg: Pick<EggRow, 'variables' | 'dockerImages' | 'startupCommands'> | undefined
}

export type EffectFault =
  | 'effect_on_unlimited'
  | 'effect_too_large'
  | 'environment_invalid'
  | 'label_unknown'

const MOST_CHECKED = 200

/** The largest amount of each resource that a panel accepts. */
const MOST: Readonly<Record<Resource, number>> = {
  ...{ memoryMb: 100_000_000, diskMb: 100_000_000, cpuPercent: 100_000, swapMb: 100_000_000 },
  ...{ databases: 10_000, backups: 10_000, allocations: 10_000, subdomains: 10_000 },
}

/**
 * What the choices of an option would break on servers of a product (S1.8): each fault with the path of the choice,
 * `options.slots.90`, and its code. For a quantity, the smallest, the largest and up to 200 steps are tried; a text
 * is checked when a buyer enters it.
 */
export function effectFaults(option: OptionTerms, target: Target): Detail[] {
  return choicesOf(option).flatMap((chosen) => faultsOfChoice(chosen, target))
}

/** Whether a choice would break servers of a product. */
export function isBrokenFor(target: Target): (chosen: Chosen) => boolean {
  return (chosen) => faultsOfChoice(chosen, target).length > 0
}

/** The choices of an option that are checked in advance. */
export function choicesOf<O extends OptionTerms>(option: O): Chosen<O>[] {
  const nothing = { option, value: null, quantity: null, text: null }
  if (option.kind === 'text') return []
  if (option.kind === 'quantity') {
    return quantitiesOf(option).map((quantity) => ({ ...nothing, quantity }))
  }
  const values = option.values.filter((it) => !it.archivedAt)
  return values.map((value) => ({ ...nothing, value }))
}

function quantitiesOf({ min, max, step }: OptionTerms): number[] {
  const [least, most, by] = [min ?? 0, max ?? 0, step ?? 1]
  const count = Math.floor((most - least) / by) + 1
  const checked = Math.min(count, MOST_CHECKED)
  const steps = Array.from({ length: checked }, (_, index) => least + index * by)
  const last = least + (count - 1) * by
  return steps.includes(last) ? steps : [...steps, last]
}

function faultsOfChoice(chosen: Chosen, target: Target): Detail[] {
  const applied = appliedOf(chosen)
  const path = pathOf(chosen)
  const { effect } = applied
  if (effect.kind === 'resource') {
    return isNothing(chosen) ? [] : resourceFaults(path, applied, target.provisioning)
  }
  if (!target.egg || effect.kind === 'none') return []
  if (effect.kind === 'variable') return variableFaults(path, applied, target.egg.variables)
  const { dockerImages, startupCommands } = target.egg
  const labels = effect.kind === 'image' ? dockerImages : startupCommands
  if (labels.some(({ label }) => label === effect.label)) return []
  return [fault(path, 'label_unknown', `names "${effect.label}", which the egg does not have`)]
}

/** `options.slots.90`, `options.backups.daily`. */
function pathOf({ option, value, quantity }: Chosen): string {
  return ['options', option.key, value?.key ?? quantity].filter((it) => it !== null).join('.')
}

function resourceFaults(path: string, applied: Applied, provisioning: Provisioning): Detail[] {
  return RESOURCES.flatMap((resource) => {
    const added = amountOf(applied, resource)
    if (added === 0) return []
    const base = baseOf(provisioning, resource)
    if (isUnlimited(resource, base)) {
      const message = `adds to ${resource}, which is unlimited in the product`
      return [fault(path, 'effect_on_unlimited', message)]
    }
    if (base + added <= MOST[resource]) return []
    return [fault(path, 'effect_too_large', `raises ${resource} above ${MOST[resource]}`)]
  })
}

function baseOf({ limits, featureLimits }: Provisioning, resource: Resource): number {
  const all: Partial<Record<Resource, number>> = { ...limits, ...featureLimits }
  return all[resource] ?? 0
}

/** Panels read 0 as no limit on memory, disk and processor, and -1 on swap. */
function isUnlimited(resource: Resource, base: number): boolean {
  if (resource === 'swapMb') return base === -1
  return ['memoryMb', 'diskMb', 'cpuPercent'].includes(resource) && base === 0
}

function variableFaults(path: string, applied: Applied, variables: EggRow['variables']): Detail[] {
  const values = variablesOf([applied])
  const set = variables.filter(({ env }) => Object.hasOwn(values, env))
  if (set.length === 0) {
    const [env] = Object.keys(values)
    return [fault(path, 'environment_invalid', `sets ${env}, which the egg does not have`)]
  }
  return validateEnvironment(set, values).map(({ message, fault: kind }) => ({
    ...(kind ? detail(path, kind) : { path, message }),
    code: 'environment_invalid' satisfies EffectFault,
  }))
}

function fault(path: string, code: EffectFault, message: string): Detail {
  return { path, message, code }
}
