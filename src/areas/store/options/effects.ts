import { type EggRow, type Environment, environmentFor, type Provisioning } from '#panel'
import { type Chosen, type Effect, isNothing, type Resource } from './terms.ts'

/** What a choice does to the server, and what its template may name. */
export type Applied = {
  readonly effect: Effect
  readonly value: string | null
  readonly quantity: number | null
  readonly text: string | null
}

/** What a product's servers are made of with some choices (S1.8). */
export type Built = {
  readonly provisioning: Provisioning
  /** Names under a domain of the shop that come with the service. */
  readonly subdomains: number
  /** A label of the egg; null: that of the product. */
  readonly dockerImage: string | null
  readonly startup: string | null
}

/**
 * The effect of a choice: that of its value, else that of the option. A toggle that is off and a quantity of 0 have
 * the effect of their own value only.
 */
export function appliedOf(chosen: Chosen): Applied {
  const { option, value, quantity, text } = chosen
  const general = isNothing(chosen) ? null : option.effect
  const effect = value?.effect ?? general ?? { kind: 'none' }
  return { effect, value: value?.key ?? null, quantity, text }
}

/** The effects of all choices, added up on what a product's servers are made of. */
export function buildOf(provisioning: Provisioning, applied: readonly Applied[]): Built {
  const { limits, featureLimits, choices } = provisioning
  const sum = (resource: Resource) => applied.reduce((all, it) => all + amountOf(it, resource), 0)
  const values = variablesOf(applied)
  const locked = new Set([...(choices?.lockedVariables ?? []), ...Object.keys(values)])
  return {
    provisioning: {
      ...provisioning,
      limits: {
        ...limits,
        memoryMb: limits.memoryMb + sum('memoryMb'),
        diskMb: limits.diskMb + sum('diskMb'),
        cpuPercent: limits.cpuPercent + sum('cpuPercent'),
        swapMb: limits.swapMb + sum('swapMb'),
      },
      featureLimits: {
        databases: featureLimits.databases + sum('databases'),
        backups: featureLimits.backups + sum('backups'),
        allocations: featureLimits.allocations + sum('allocations'),
      },
      environment: { ...provisioning.environment, ...values },
      ...(locked.size > 0 && {
        choices: { dockerImage: false, startup: false, ...choices, lockedVariables: [...locked] },
      }),
    },
    subdomains: sum('subdomains'),
    dockerImage: labelOf(applied, 'image'),
    startup: labelOf(applied, 'startup'),
  }
}

/** What a choice adds of a resource: its amount per value, or per unit of a quantity. */
export function amountOf({ effect, quantity }: Applied, resource: Resource): number {
  if (effect.kind !== 'resource') return 0
  return (effect.amounts[resource] ?? 0) * (quantity ?? 1)
}

/** The values of the variables that choices set. */
export function variablesOf(applied: readonly Applied[]): Environment {
  return Object.fromEntries(
    applied.flatMap((it) =>
      it.effect.kind === 'variable' ? [[it.effect.env, filled(it.effect.template, it)]] : [],
    ),
  )
}

/** A template, filled with what was chosen: `{quantity}`, `{value}` and `{text}`. */
export function filled(
  template: string,
  { quantity, value, text }: Omit<Applied, 'effect'>,
): string {
  const words: Readonly<Record<string, string>> = {
    quantity: String(quantity ?? ''),
    value: value ?? '',
    text: text ?? '',
  }
  return template.replace(/\{(quantity|value|text)\}/g, (_, name: string) => words[name] ?? '')
}

type Sources = {
  readonly applied: readonly Applied[]
  readonly customer: Environment
  readonly product: Environment
}

/** The variables of a server: by option, then by the customer, then by the product, then by default (S1.9). */
export function environmentWith(
  egg: Pick<EggRow, 'variables'>,
  { applied, customer, product }: Sources,
): Environment {
  const chosen = variablesOf(applied)
  const own = Object.entries(customer).filter(([env]) => !Object.hasOwn(chosen, env))
  const plan = { ...product, ...chosen }
  return environmentFor(egg, { plan, customer: Object.fromEntries(own) })
}

function labelOf(applied: readonly Applied[], kind: 'image' | 'startup'): string | null {
  const last = applied.findLast(({ effect }) => effect.kind === kind)
  return last && 'label' in last.effect ? last.effect.label : null
}
