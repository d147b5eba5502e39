import { type Detail, detail } from '#lib/problem.ts'
import type { Egg, EggVariable } from './egg.ts'
import { brokenRule } from './variable-rules.ts'

/** Values of environment variables by name. */
export type Environment = Record<string, string>

/**
 * What the panel would refuse about these values, by the rules of each variable; a variable without a
 * value counts as empty. Rules that this service does not know are left to the panel; names that the
 * egg does not have are ignored.
 */
export function validateEnvironment(
  variables: readonly EggVariable[],
  values: Environment,
): Detail[] {
  return variables.flatMap(({ env, name, rules }) => {
    const fault = brokenRule(rules, setValue(values, env))
    return fault ? [detail(`environment.${env}`, { ...fault, name })] : []
  })
}

/**
 * Variables that may not be empty and have no value, neither here nor by default: a plan must fix
 * them, or, if a customer may edit them, the shop must ask for them.
 */
export function missingValues(
  variables: readonly EggVariable[],
  values: Environment,
): EggVariable[] {
  return variables.filter(({ env, rules, default: preset }) => {
    const value = (setValue(values, env) ?? preset).trim()
    return value === '' && brokenRule(rules, value) !== undefined
  })
}

type Sources = { plan: Environment; customer: Environment }

/**
 * The complete environment of a new server, with every variable of the egg: the customer's value if
 * the variable is editable, otherwise the plan's, otherwise the egg's default.
 */
export function environmentFor(
  egg: Pick<Egg, 'variables'>,
  { plan, customer }: Sources,
): Environment {
  const entries = egg.variables.map(({ env, editable, default: preset }) => {
    const own = editable ? setValue(customer, env) : undefined
    return [env, own ?? setValue(plan, env) ?? preset] as const
  })
  return Object.fromEntries(entries)
}

/**
 * Values that a customer tries to set but may not: names the egg does not have or does not let
 * customers edit, and those that are locked.
 */
export function refusedValues(
  variables: readonly EggVariable[],
  customer: Environment,
  locked: readonly string[] = [],
): Detail[] {
  const editable = new Set(variables.filter((it) => it.editable).map(({ env }) => env))
  for (const env of locked) editable.delete(env)
  return Object.keys(customer)
    .filter((env) => !editable.has(env))
    .map((env) => detail(`environment.${env}`, { kind: 'not_editable' }))
}

function setValue(values: Environment, env: string): string | undefined {
  return Object.hasOwn(values, env) ? values[env] : undefined
}
