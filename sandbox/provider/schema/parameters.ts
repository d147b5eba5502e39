import { invalid, ProviderError } from '../errors.ts'
import { resolve, type Schema } from './document.ts'
import type { Form } from './form.ts'

type Value = string | Form

/**
 * Checks a decoded form against the schema of an operation and gives its texts their types. Throws
 * the 400 of the first parameter that is unknown, missing or of another type, and names it.
 */
export function readParameters(schema: Schema, form: Form): unknown {
  return readObject(resolve(schema), form, '')
}

function read(schema: Schema, value: Value, name: string): unknown {
  const known = resolve(schema)
  if (known.anyOf) return readAny(known.anyOf, value, name)
  if (known.enum) return readEnum(known.enum, value, name)
  switch (known.type) {
    case 'object':
      return readObject(known, value, name)
    case 'array':
      return readArray(known, value, name)
    case 'integer':
      return readInteger(textOf(value, name), name)
    case 'number':
      return readNumber(textOf(value, name), name)
    case 'boolean':
      return readBoolean(textOf(value, name), name)
    default:
      return readText(known, textOf(value, name), name)
  }
}

/** A group can only be the alternative that is one; for a text, the first that fits counts. */
function readAny(alternatives: Schema[], value: Value, name: string): unknown {
  const fitting = alternatives
    .map(resolve)
    .filter((it) => isGroup(it) === (typeof value === 'object'))
  let refusal: unknown
  for (const schema of fitting) {
    try {
      return read(schema, value, name)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      refusal ??= error
    }
  }
  throw refusal ?? invalid(`Invalid ${isText(value) ? 'object' : 'string'}`, { param: name })
}

function readObject(schema: Schema, value: Value, name: string): unknown {
  if (isText(value)) throw invalid('Invalid object', { param: name })
  const { properties = {}, required = [], additionalProperties } = schema
  const result: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const full = name === '' ? key : `${name}[${key}]`
    const known = Object.hasOwn(properties, key) ? properties[key] : additionalProperties
    if (typeof known === 'object') result[key] = read(known, inner, full)
    else if (known !== true) throw unknownParameter(full)
    checkName(schema, key, full)
  }
  const missing = required.find((key) => !(key in value))
  if (missing) throw missingParameter(name === '' ? missing : `${name}[${missing}]`)
  if (Object.keys(result).length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) {
    throw invalid(`You can have at most ${schema.maxProperties} keys in ${name}.`, { param: name })
  }
  return result
}

function checkName({ propertyNames }: Schema, key: string, name: string): void {
  if (propertyNames?.maxLength && key.length > propertyNames.maxLength) {
    const message = `Keys can be at most ${propertyNames.maxLength} characters long.`
    throw invalid(message, { param: name })
  }
}

function readArray({ items = {} }: Schema, value: Value, name: string): unknown {
  if (isText(value)) {
    if (value === '') return []
    throw invalid('Invalid array', { param: name })
  }
  return Object.entries(value).map(([key, inner]) => {
    if (!/^\d+$/.test(key)) throw invalid('Invalid array', { param: name })
    return read(items, inner, `${name}[${key}]`)
  })
}

function readEnum(allowed: readonly unknown[], value: Value, name: string): unknown {
  if (isText(value) && allowed.includes(value)) return value
  const known = allowed.filter((it) => it !== '').join(', ')
  throw invalid(`Invalid ${name}: must be one of ${known}`, { param: name })
}

function readInteger(text: string, name: string): number {
  const number = Number(text)
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw invalid(`Invalid integer: ${text}`, { param: name, code: 'parameter_invalid_integer' })
}

function readNumber(text: string, name: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw invalid(`Invalid decimal: ${text}`, { param: name })
}

function readBoolean(text: string, name: string): boolean {
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw invalid(`Invalid boolean: ${text}`, { param: name })
}

function readText({ maxLength = 5000 }: Schema, text: string, name: string): string {
  if (text.length <= maxLength) return text
  const message = `Invalid string: must be at most ${maxLength} characters`
  throw invalid(message, { param: name, code: 'parameter_invalid_string_too_long' })
}

function textOf(value: Value, name: string): string {
  if (isText(value)) return value
  throw invalid('Invalid string', { param: name })
}

function isText(value: Value): value is string {
  return typeof value === 'string'
}

function isGroup({ type }: Schema): boolean {
  return type === 'object' || type === 'array'
}

function unknownParameter(param: string): ProviderError {
  return invalid(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' })
}

function missingParameter(param: string): ProviderError {
  return invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' })
}
