import type { TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { SettingsSection } from '#platform/area.ts'

const SHOWN = 4
const SHORTEST_HINTED = 12

/** Whether a field is written and never shown. */
export function isSecret({ properties }: TObject, field: string): boolean {
  return (properties[field] as { writeOnly?: boolean } | undefined)?.writeOnly === true
}

/** The values of a section if nothing was set. */
export function defaultsOf({ schema }: SettingsSection): Record<string, unknown> {
  return Value.Default(schema, {}) as Record<string, unknown>
}

/**
 * The values set in a section, after a change: null returns a field to its
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

/** The effective values of a section, as they are shown: for a secret only that it exists, and its last characters. */
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
