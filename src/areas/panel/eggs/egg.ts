import { createHash } from 'node:crypto'

export type EggVariable = {
  /** The name of the environment variable. */
  env: string
  name: string
  description: string
  default: string
  rules: string[]
  viewable: boolean
  /** Whether a customer may set it. */
  editable: boolean
  sort: number
}

/** An egg (server template) in the one form into which panels and files are converted. */
export type Egg = {
  source: 'panel' | 'file'
  /** The egg's id on its panel. */
  remoteId: number | null
  /** Stable over re-imports on some panels; absent in the older file formats. */
  uuid: string | null
  name: string
  author: string | null
  description: string
  tags: string[]
  features: string[]
  /** The first one is used unless another is requested. */
  dockerImages: { label: string; image: string }[]
  startupCommands: { label: string; command: string }[]
  /** A console command, or a signal like `^C`. */
  stop: string
  /** Console texts that show that a server is up. */
  doneMarkers: string[]
  variables: EggVariable[]
  /** Shown only; never fetched. */
  updateUrl: string | null
  /** SHA-256 of the content: with equal hashes there is nothing to update. */
  contentHash: string
}

/** Adds the content hash: over everything except the egg's source and its id there. */
export function withContentHash(egg: Omit<Egg, 'contentHash'>): Egg {
  const { source: _source, remoteId: _remoteId, ...content } = egg
  const ordered = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))
  const contentHash = createHash('sha256').update(JSON.stringify(ordered)).digest('hex')
  return { ...egg, contentHash }
}

/** The rules of a variable as a list, from the `|`-joined text or the list that panels use. */
export function rulesOf(value: unknown): string[] {
  const parts = Array.isArray(value) ? value.map(String) : String(value ?? '').split('|')
  return parts.map((rule) => rule.trim()).filter((rule) => rule !== '')
}

/** The texts that show that a server is up: one, or a list. */
export function doneMarkersOf(done: unknown): string[] {
  const markers = Array.isArray(done) ? done : [done]
  return markers.filter((marker) => typeof marker === 'string' && marker !== '')
}

/** The commands a server may be started with: labels with commands, or commands alone. */
export function startupCommandsOf(value: unknown): Egg['startupCommands'] {
  if (typeof value !== 'object' || value === null) return []
  const labelled = Object.entries(value).map(([label, command]) => ({
    label: Array.isArray(value)
      ? label === '0'
        ? 'Default'
        : `Command ${Number(label) + 1}`
      : label,
    command: typeof command === 'string' ? command : '',
  }))
  return labelled.filter(({ command }) => command !== '')
}

/** The texts of a list; other values are left out, and anything but a list is empty. */
export function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.filter((item) => typeof item === 'string' && item !== '')
}

/** In the panel's order; variables with the same position keep their original order. */
export function inOrder(variables: EggVariable[]): EggVariable[] {
  return variables.toSorted((a, b) => a.sort - b.sort)
}

/**
 * Keeps the last of variables with the same name, as panels do when they save a server's values.
 */
export function withoutDoubles(variables: EggVariable[]): EggVariable[] {
  return [...new Map(variables.map((variable) => [variable.env, variable])).values()]
}
