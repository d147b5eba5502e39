import type { TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { SettingsSection } from '#platform/area.ts'

const SHOWN = 4
const SHORTEST_HINTED = 12

/** Whether a field is written and never shown. */
export function isSecret({ properties }: TObject, field: string): boolean {
  return (properties[field] as { writeOnly?: boolean } | undefined)?.writeOnly === true
}

/** What holds where nothing was set. */
export function defaultsOf({ schema }: SettingsSection): Record<string, unknown> {
  return Value.Default(schema, {}) as Record<string, unknown>
}

/**
 * What of a section was set, after a change is written over it: null takes a field back to its
 * default, secret ones are sealed by `seal`.
 */
export function valuesWith(
  { schema }: SettingsSection,
  values: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  seal: (field: string, plain: string) => string,
): Record<string, unknown> {
  const next = { ...values }
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete next[field]
    else next[field] = isSecret(schema, field) ? seal(field, String(value)) : value
  }
  return next
}

/** What holds in a section, as it is shown: of a secret only that it is there, and how it ends. */
export function shownValues(
  section: SettingsSection,
  values: Readonly<Record<string, unknown>>,
  open: (field: string, sealed: string) => string,
): Record<string, unknown> {
  const defaults = defaultsOf(section)
  const shown = Object.keys(section.schema.properties).map((field) => {
    const value = values[field] ?? defaults[field] ?? null
    const hidden = isSecret(section.schema, field) && value !== null
    return [field, hidden ? masked(open(field, String(value))) : value] as const
  })
  return Object.fromEntries(shown)
}

function masked(plain: string): string {
  return `••••${plain.length < SHORTEST_HINTED ? '' : plain.slice(-SHOWN)}`
}
