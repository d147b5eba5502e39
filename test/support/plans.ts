type Node = {
  readonly 'Node Type': string
  readonly Schema?: string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

/** A statement and how the server carried it out, in the words of `explain (analyze, format json)`. */
export type Plan = { readonly 'Query Text': string; readonly Plan: Node }

/** The tables of which a statement read more than `most` rows in one go, used or not. */
export function readsMuch(plan: Plan, most: number): string[] {
  const found = new Set<string>()
  function look(node: Node): void {
    const { Schema: schema, 'Relation Name': table } = node
    const read = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
    if (schema && table && read > most) found.add(`${schema}.${table}`)
    for (const child of node.Plans ?? []) look(child)
  }
  look(plan.Plan)
  return [...found]
}

/** The pages that a statement looked at, in memory or on disk. */
export function pagesOf({ Plan: root }: Plan): number {
  return (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0)
}
