import { matchesExpression } from '#lib/expressions.ts'
import type { FieldFault } from '#lib/field-faults/index.ts'

type Value = { text: string; numeric: boolean }

/** Returns what is wrong, or undefined. `parameters` is what follows the rule's colon. */
type Check = (value: Value, parameters: string) => FieldFault | undefined

/** Rules that only a text can pass: for the panel an empty value is not one. */
const WANTS_TEXT = ['string', 'regex', 'not_regex']

/**
 * What is wrong with a value by the panels' rules for egg variables, undefined if it is valid. Unknown rules, and
 * expressions that mean something else in PHP, are left to the panel. An empty value is null for the panel, and so is a
 * missing one: without `nullable` a null fails every rule of type, and passes only rules that it happens to fit
 * (`max:5`).
 */
export function brokenRule(rules: readonly string[], value = ''): FieldFault | undefined {
  const parsed = rules.map((rule) => {
    const [name = '', ...rest] = rule.split(':')
    return { name: name.trim().toLowerCase(), parameters: rest.join(':') }
  })
  const names = new Set(parsed.map(({ name }) => name))
  const text = value.trim()
  const empty = text === ''
  if (empty && names.has('required')) return { kind: 'missing' }
  if (empty && names.has('nullable')) return undefined
  if (empty && WANTS_TEXT.some((name) => names.has(name))) return { kind: 'missing' }
  const numeric = ['numeric', 'integer', 'int'].some((name) => names.has(name))
  for (const { name, parameters } of parsed) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined
    const fault = check?.({ text, numeric }, parameters)
    if (fault) return empty ? { kind: 'missing' } : fault
  }
  return undefined
}

const CHECKS: Record<string, Check> = {
  numeric: ({ text }) => unless(isNumeric(text), 'number'),
  integer: ({ text }) => unless(isInteger(text), 'whole_number'),
  int: ({ text }) => unless(isInteger(text), 'whole_number'),
  boolean: ({ text }) => unless(text === '0' || text === '1', 'zero_or_one'),
  min: sized(1, (size, [least = 0]) => size >= least, 'at_least'),
  max: sized(1, (size, [most = 0]) => size <= most, 'at_most'),
  size: sized(1, (size, [exact]) => size === exact, 'exactly'),
  gt: sized(1, (size, [bound = 0]) => size > bound, 'more'),
  between: sized(2, (size, [least = 0, most = 0]) => size >= least && size <= most, 'between'),
  digits: digits(1, (count, [exact]) => count === exact),
  digits_between: digits(2, (count, [least = 0, most = 0]) => count >= least && count <= most),
  in: ({ text }, parameters) => {
    const values = listOf(parameters)
    return unless(values.includes(text), 'one_of', values)
  },
  not_in: ({ text }, parameters) => unless(!listOf(parameters).includes(text), 'value_not_allowed'),
  ends_with: ({ text }, parameters) => {
    const ends = listOf(parameters)
    const matches = ends.some((end) => text.endsWith(end))
    return unless(matches, 'ends_with', ends)
  },
  alpha_dash: ({ text }) => unless(/^[\p{L}\p{M}\p{N}_-]+$/u.test(text), 'letters_digits_dash'),
  alpha_num: ({ text }) => unless(/^[\p{L}\p{M}\p{N}]+$/u.test(text), 'letters_digits'),
  url: ({ text }) => unless(/^[a-z][a-z0-9+.-]*:\/\/[^\s/]+/i.test(text), 'url'),
  regex: ({ text }, pattern) => unless(matchesPattern(pattern, text) !== false, 'wrong_format'),
  not_regex: ({ text }, pattern) => unless(matchesPattern(pattern, text) !== true, 'wrong_format'),
}

function unless(
  fine: boolean,
  kind: FieldFault['kind'],
  values: FieldFault['values'] = [],
): FieldFault | undefined {
  return fine ? undefined : { kind, values }
}

/** Compares the value of a number, or the count of characters of a text. */
function sized(
  count: number,
  fits: (size: number, bounds: number[]) => boolean,
  relation: 'at_least' | 'at_most' | 'exactly' | 'more' | 'between',
): Check {
  return ({ text, numeric }, parameters) => {
    const bounds = numbersOf(parameters, count)
    if (!bounds) return undefined
    const size = numeric && isNumeric(text) ? Number(text) : [...text].length
    return unless(fits(size, bounds), `${numeric ? 'number' : 'length'}_${relation}`, bounds)
  }
}

function digits(count: number, fits: (count: number, bounds: number[]) => boolean): Check {
  return ({ text }, parameters) => {
    const bounds = numbersOf(parameters, count)
    if (!bounds) return undefined
    const kind = count === 1 ? 'digits' : 'digits_between'
    return unless(/^\d+$/.test(text) && fits(text.length, bounds), kind, bounds)
  }
}

/** The numbers that a rule needs, or undefined if it names other fields instead. */
function numbersOf(parameters: string, count: number): number[] | undefined {
  const texts = parameters.split(',').map((part) => part.trim())
  if (texts.length < count || !texts.slice(0, count).every(isNumeric)) return undefined
  return texts.slice(0, count).map(Number)
}

/** Comma-separated values, each of which may be in double quotes. */
export function listOf(parameters: string): string[] {
  const values = parameters.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)
  const list = [...values].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
  // The expression also matches the empty text after the last value.
  return list.slice(0, -1)
}

function isNumeric(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)
}

function isInteger(text: string): boolean {
  return /^[+-]?(0|[1-9]\d*)$/.test(text)
}

/** Syntax of PHP's expressions that ours do not have, or that has another meaning in ours. */
export const PHP_ONLY = /\\[AaCEeGghHKNQRXZz]|\[\[:|\(\?[^:=!<]|[*+?}]\+/

/**
 * Whether the text matches a PHP expression like `/^\d+$/i`; undefined if that cannot be determined. Eggs come from
 * unknown authors, so an expression that takes too long on a customer's value is given up.
 */
function matchesPattern(pattern: string, text: string): boolean | undefined {
  const [, delimited] = pattern.trim().match(/^(\/.*\/|#.*#|~.*~)[imsuD]*$/s) ?? []
  if (delimited === undefined || PHP_ONLY.test(delimited)) return undefined
  const source = delimited.slice(1, -1)
  const flags = [...new Set(pattern.trim().slice(delimited.length))].filter((flag) => flag !== 'D')
  return matchesExpression({ source, flags: flags.join('') }, text)
}
