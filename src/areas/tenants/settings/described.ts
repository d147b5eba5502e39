import type { SettingsSection } from '#platform/area.ts'
import type { SettingsTexts } from './labels/index.ts'
import { isSecret } from './rules.ts'
import type { SettingField, SettingUnit } from './schema.ts'

/** The parts of a JSON schema that decide how a setting is entered. */
type Node = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly anyOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  /** The members of a map whose values have one schema, which is `additionalProperties`. */
  readonly propertyNames?: Node
  readonly additionalProperties?: Node | false
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly pattern?: string
}

/** Every setting with its label, description, kind and limits, in the order of the sections. */
export function describedSettings(
  sections: readonly SettingsSection[],
  texts: SettingsTexts,
): SettingField[] {
  return sections.flatMap((section) =>
    Object.entries(section.schema.properties).map(([name, schema]) => {
      const path = `${section.name}.${name}`
      const node = schema as Node
      const rule = itemOf(node)
      return {
        ...{ path, section: section.name, name },
        sectionLabel: texts.groups[section.name] ?? section.name,
        label: texts.labels[path] ?? name,
        description: texts.descriptions[path] ?? node.description ?? null,
        kind: isSecret(section.schema, name) ? ('secret' as const) : kindOf(node),
        unit: unitOf(name),
        minimum: rule.minimum ?? null,
        maximum: rule.maximum ?? null,
        maximumItems: node.maxItems ?? null,
        pattern: rule.pattern ?? null,
        options: named(choicesOf(rule), texts),
        members: named(membersOf(node), texts),
      }
    }),
  )
}

function kindOf(node: Node): SettingField['kind'] {
  if (membersOf(node)) return 'map'
  if (node.items) return itemOf(node).type === 'integer' ? 'numbers' : 'texts'
  if (choicesOf(node)) return 'choice'
  if (node.type === 'boolean') return 'flag'
  return node.type === 'integer' || node.type === 'number' ? 'number' : 'text'
}

/** The schema of one value: of an item of a list, of a member of a map, or the schema itself. */
function itemOf(node: Node): Node {
  const member = node.propertyNames && node.additionalProperties
  return node.items ?? (member || Object.values(node.properties ?? {})[0]) ?? node
}

function membersOf({ properties, propertyNames }: Node): readonly string[] | undefined {
  return propertyNames?.enum ?? (properties && Object.keys(properties))
}

function choicesOf(node: Node): readonly string[] | undefined {
  if (node.enum) return node.enum
  const values = node.anyOf?.flatMap((it) => it.const ?? it.enum ?? [])
  return values && values.length > 0 ? values : undefined
}

function named(values: readonly string[] | undefined, { options }: SettingsTexts) {
  return values ? values.map((value) => ({ value, label: options[value] ?? value })) : null
}

const UNITS: readonly (readonly [string, SettingUnit])[] = [
  ['BasisPoints', 'basis_points'],
  ['Days', 'days'],
  ['Hours', 'hours'],
  ['Minutes', 'minutes'],
  ['Months', 'months'],
  ['Years', 'years'],
  ['Bytes', 'bytes'],
  ['Cents', 'cents'],
]

/** The unit that the name of a field ends with; null for a count. */
function unitOf(name: string): SettingUnit | null {
  return UNITS.find(([ending]) => name.endsWith(ending))?.[1] ?? null
}
