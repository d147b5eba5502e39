import { type Data, variablesOf } from '../state/data.ts'
import { validate } from './validate.ts'

/**
 * Checks every variable of an egg by its own rules, and gives back their values by variable id. One
 * left out counts as null and is stored empty; a name the egg does not have is dropped. Throws 422
 * on `environment.<NAME>`.
 */
export function checkEnvironment(
  data: Data,
  eggId: number,
  environment: Record<string, unknown>,
): Map<number, string> {
  const variables = variablesOf(data, eggId)
  const values = variables.map(({ envVariable }) => [
    envVariable,
    Object.hasOwn(environment, envVariable) ? environment[envVariable] : null,
  ])
  const field = (name: string) => `environment.${name}`
  validate({
    input: { environment: Object.fromEntries(values) },
    rules: Object.fromEntries(variables.map((it) => [field(it.envVariable), it.rules])),
    labels: Object.fromEntries(
      variables.map((it) => [field(it.envVariable), `${it.name} variable`]),
    ),
  })
  return new Map(variables.map(({ id, envVariable }) => [id, stored(environment[envVariable])]))
}

/** A value as its column keeps it. */
function stored(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return value === null || value === undefined ? '' : String(value)
}
