import type { Egg, EggVariable } from './egg.ts'

type Listing = { added: string[]; removed: string[] }

/** The changes of an egg that concern servers created from it. */
export type EggChanges = {
  variables: { env: string; change: 'added' | 'removed' | 'changed'; fields: string[] }[]
  images: Listing
  startup: Listing
}

type Content = Pick<Egg, 'variables' | 'dockerImages' | 'startupCommands'>

/** Compares an egg with its previous content. Undefined if no change concerns a server. */
export function changesBetween(before: Content, after: Content): EggChanges | undefined {
  const images = listingOf(
    before.dockerImages.map(({ image }) => image),
    after.dockerImages.map(({ image }) => image),
  )
  const startup = listingOf(
    before.startupCommands.map(({ command }) => command),
    after.startupCommands.map(({ command }) => command),
  )
  const variables = variablesBetween(before.variables, after.variables)
  const count = [images.added, images.removed, startup.added, startup.removed, variables].flat()
  return count.length > 0 ? { variables, images, startup } : undefined
}

function listingOf(before: readonly string[], after: readonly string[]): Listing {
  return {
    added: after.filter((text) => !before.includes(text)),
    removed: before.filter((text) => !after.includes(text)),
  }
}

/** The fields that can make a valid value invalid, or show it to others. */
const FIELDS = ['default', 'rules', 'viewable', 'editable'] as const satisfies (keyof EggVariable)[]

function variablesBetween(
  before: readonly EggVariable[],
  after: readonly EggVariable[],
): EggChanges['variables'] {
  const earlier = new Map(before.map((variable) => [variable.env, variable]))
  const later = new Map(after.map((variable) => [variable.env, variable]))
  const kept = after.flatMap((variable): EggChanges['variables'] => {
    const { env } = variable
    const known = earlier.get(env)
    if (!known) return [{ env, change: 'added', fields: [] }]
    const fields = FIELDS.filter(
      (field) => JSON.stringify(known[field]) !== JSON.stringify(variable[field]),
    )
    return fields.length > 0 ? [{ env, change: 'changed', fields }] : []
  })
  const gone = before.filter(({ env }) => !later.has(env))
  return [...kept, ...gone.map(({ env }) => ({ env, change: 'removed' as const, fields: [] }))]
}
