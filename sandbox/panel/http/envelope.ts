import type { Presenters } from '../flavour.ts'
import type { Panel } from '../panel.ts'
import type { Key, Resource } from '../state/rows.ts'

export type Item = {
  object: string
  attributes: Record<string, unknown> | null
  meta?: Record<string, unknown>
}
export type List = { object: 'list'; data: Item[]; meta?: Record<string, unknown> }

/** What a request asked to have included, by name, each with what it asked for inside. */
export type Includes = Map<string, Includes>

type Relation = { resource: Resource; load: (view: View) => Item | List | null }

const NULL_RESOURCE: Item = { object: 'null_resource', attributes: null }
const READ = 1

/** How one request sees the panel: with whose key, and with which relations. */
export class View {
  readonly panel: Panel
  readonly key: Key
  readonly #includes: Includes

  constructor(panel: Panel, key: Key, includes: Includes = new Map()) {
    this.panel = panel
    this.key = key
    this.#includes = includes
  }

  /** How this panel shows what it has. */
  get present(): Presenters {
    return this.panel.flavour.present
  }

  /** The relations asked for; one that is empty or may not be read is a null resource. */
  relations(available: Record<string, Relation>): { relationships?: Record<string, Item | List> } {
    const relationships: Record<string, Item | List> = {}
    for (const [name, inner] of this.#includes) {
      const relation = available[name]
      if (!relation) continue
      const view = new View(this.panel, this.key, inner)
      const loaded = allows(this.key, relation.resource, READ) ? relation.load(view) : null
      relationships[name] = loaded ?? NULL_RESOURCE
    }
    return Object.keys(relationships).length > 0 ? { relationships } : {}
  }
}

/** Whether a key may do this. The account key of an admin may do everything. */
export function allows(key: Key, resource: Resource, level: number): boolean {
  if (key.kind === 'account') return true
  return ((key.permissions[resource] ?? 0) & level) === level
}

export function listOf(items: Item[]): List {
  return { object: 'list', data: items }
}

/** Reads `include=a,b.c` or `include[]=a`, two levels deep at most. */
export function readIncludes(query: URLSearchParams): Includes {
  const includes: Includes = new Map()
  const asked = [...query].filter(([name]) => /^include(\[\d*\])?$/.test(name))
  for (const path of asked.flatMap(([, value]) => value.split(','))) {
    const [outer, inner] = path.trim().split('.')
    if (!outer) continue
    const inside: Includes = includes.get(outer) ?? new Map()
    if (inner) inside.set(inner, new Map())
    includes.set(outer, inside)
  }
  return includes
}

/** A moment as transformers write it. */
export function timestamp(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}+00:00`
}

/** A moment as the raw models inside a variable write it. */
export function rawTimestamp(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}.000000Z`
}
