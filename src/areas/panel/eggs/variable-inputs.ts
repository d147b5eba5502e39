import { listOf, PHP_ONLY } from './variable-rules.ts'

/** The form control for the rules of a variable; what it cannot express is checked by the rules themselves. */
export type VariableInput =
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'switch' }
  | {
      readonly kind: 'number'
      readonly min?: string
      readonly max?: string
      readonly isWhole: boolean
    }
  | { readonly kind: 'text'; readonly maxLength?: number; readonly pattern?: string }

const MOST_CHOICES = 100

/** The control for a value: a choice of few values, a switch, a number, otherwise a text. */
export function inputOf(rules: readonly string[]): VariableInput {
  const parsed = new Map(
    rules.map((rule) => {
      const [name = '', ...rest] = rule.split(':')
      return [name.trim().toLowerCase(), rest.join(':')] as const
    }),
  )
  const values = parsed.has('in') ? listOf(parsed.get('in') ?? '') : []
  if (values.length > 0 && values.length <= MOST_CHOICES) return { kind: 'choice', values }
  if (parsed.has('boolean')) return { kind: 'switch' }
  const [least, most] = (parsed.get('between') ?? '').split(',')
  const min = numberIn(parsed.get('min') ?? least)
  const max = numberIn(parsed.get('max') ?? most)
  const isWhole = parsed.has('integer') || parsed.has('int')
  if (isWhole || parsed.has('numeric')) {
    return { kind: 'number', isWhole, ...(min && { min }), ...(max && { max }) }
  }
  const pattern = patternOf(parsed.get('regex'))
  return { kind: 'text', ...(max && { maxLength: Number(max) }), ...(pattern && { pattern }) }
}

function numberIn(text: string | undefined): string | undefined {
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text.trim()) ? text.trim() : undefined
}

/** A PHP expression as the pattern of a form field, if both mean the same: the whole text has to match. */
function patternOf(regex: string | undefined): string | undefined {
  const [, source] = /^\/\^(.*)\$\/D?$/s.exec(regex?.trim() ?? '') ?? []
  if (source === undefined || PHP_ONLY.test(source)) return undefined
  try {
    // Browsers compile a pattern with this flag, and ignore one that they cannot compile.
    new RegExp(`^(?:${source})$`, 'v')
    return source
  } catch {
    return undefined
  }
}
