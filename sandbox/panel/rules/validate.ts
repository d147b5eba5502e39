import { type Failure, ValidationError } from '../http/errors.ts'
import { locate } from '../http/input.ts'
import { checks, isNumericRule } from './checks.ts'
import { messageOf } from './messages.ts'

export type Rule = { name: string; parameters: string[] }

/** A rule that asks the data: whether a value exists there, or is the only one of its kind. */
export type DataRule = {
  name: 'exists' | 'unique' | 'p_username'
  passes: (value: unknown) => boolean
}

export type RuleSet = readonly (string | DataRule)[]

type Validation = {
  input: Record<string, unknown>
  rules: Record<string, RuleSet>
  /** What a field is called in messages, where that is not its own name. */
  labels?: Record<string, string>
}

const PRESENCE = ['required', 'required_with', 'required_without', 'present']
/** Rules that say something about others, and check nothing themselves. */
const SILENT = ['nullable', 'sometimes', 'bail']

/**
 * Checks fields by rules as the panel's framework does: rule by rule, and no further after a
 * missing field. Without `nullable` a null keeps no rule of type. Throws 422 with every failure.
 */
export function validate({ input, rules, labels = {} }: Validation): void {
  const failures: Failure[] = []
  for (const [pattern, set] of Object.entries(rules)) {
    for (const field of expand(input, pattern)) {
      failures.push(...check(input, field, set, labels[field] ?? field.replaceAll('_', ' ')))
    }
  }
  if (failures.length > 0) throw new ValidationError(failures)
}

/** Splits `required|between:1,5`. The pattern of a regex keeps its commas. */
export function parseRules(text: string): Rule[] {
  return text
    .split('|')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const colon = part.indexOf(':')
      const name = normalName(colon < 0 ? part : part.slice(0, colon))
      const rest = colon < 0 ? null : part.slice(colon + 1)
      if (rest === null) return { name, parameters: [] }
      return { name, parameters: name.endsWith('regex') ? [rest] : rest.split(',') }
    })
}

function check(
  input: Record<string, unknown>,
  field: string,
  set: RuleSet,
  label: string,
): Failure[] {
  const rules = set.flatMap((rule): (Rule | DataRule)[] =>
    typeof rule === 'string' ? parseRules(rule) : [rule],
  )
  const has = (name: string) => rules.some((rule) => rule.name === name)
  const { present, value } = locate(input, field)
  const failures: Failure[] = []
  if (has('sometimes') && !present) return failures
  for (const rule of rules) {
    if (SILENT.includes(rule.name)) continue
    const presence = PRESENCE.includes(rule.name)
    if (!presence && (!present || value === '' || (value === null && has('nullable')))) continue
    if ('passes' in rule) {
      if (failures.length > 0 || rule.passes(value)) continue
      failures.push({ field, rule: rule.name, message: messageOf(label, rule.name, [], false) })
      continue
    }
    const numeric = rules.some(({ name }) => isNumericRule(name))
    const passes = presence
      ? keepsPresence(input, rule, present, value)
      : (checks[rule.name]?.(value, rule.parameters, numeric) ?? true)
    if (passes) continue
    const message = messageOf(label, rule.name, rule.parameters, numeric)
    failures.push({ field, rule: rule.name, message })
    if (presence || has('bail')) break
  }
  return failures
}

function keepsPresence(
  input: Record<string, unknown>,
  { name, parameters }: Rule,
  present: boolean,
  value: unknown,
): boolean {
  if (name === 'present') return present
  const others = parameters.map((path) => !isEmpty(locate(input, path).value))
  if (name === 'required_with' && !others.includes(true)) return true
  if (name === 'required_without' && !others.includes(false)) return true
  return !isEmpty(value)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'string') return value.trim() === ''
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** The fields a pattern stands for: `ports.*` is `ports.0`, `ports.1` and so on. */
function expand(input: Record<string, unknown>, pattern: string): string[] {
  if (!pattern.endsWith('.*')) return [pattern]
  const base = pattern.slice(0, -2)
  const { value } = locate(input, base)
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).map((key) => `${base}.${key}`)
}

/** Rule names in any case, as some eggs have them: `Nullable`, `int`. */
function normalName(name: string): string {
  const snake = name
    .trim()
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
  if (snake === 'int') return 'integer'
  return snake === 'bool' ? 'boolean' : snake
}
