import { ProviderError } from '../errors.ts'

/** A decoded body or query: texts, and what the brackets made of them. */
export type Form = { [name: string]: string | Form }

const DEEPEST = 12

/**
 * Decodes `a[b][0][c]=1` into `{ a: { b: { 0: { c: '1' } } } }`; `a[]` takes the next free number.
 * The last of several values wins. Throws a 400 for broken percent signs, brackets or a name that
 * is both a text and a group.
 */
export function decodeForm(text: string): Form {
  const form: Form = emptyForm()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    put(form, segmentsOf(name), at < 0 ? '' : decode(pair.slice(at + 1)))
  }
  return form
}

function emptyForm(): Form {
  // Without a prototype, `__proto__` is a name like any other.
  return Object.create(null)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformed('The request has an invalid percent-encoding.')
  }
}

function segmentsOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (!match) throw malformed(`Invalid parameter name: ${name}`)
  const [, head = '', rest = ''] = match
  const segments = [head, ...rest.split(/\]?\[|\]/).slice(1, -1)]
  if (segments.length > DEEPEST) throw malformed(`Parameter nested too deeply: ${name}`)
  return segments
}

function put(form: Form, segments: string[], value: string): void {
  let group = form
  for (const segment of segments.slice(0, -1)) {
    const key = segment === '' ? nextNumber(group) : segment
    const inner = group[key] ?? emptyForm()
    if (typeof inner === 'string') throw malformed(`Invalid parameters: ${key} is given twice.`)
    group[key] = inner
    group = inner
  }
  const last = segments.at(-1) ?? ''
  const key = last === '' ? nextNumber(group) : last
  if (typeof group[key] === 'object') throw malformed(`Invalid parameters: ${key} is given twice.`)
  group[key] = value
}

function nextNumber(group: Form): string {
  return String(Object.keys(group).length)
}

function malformed(message: string): ProviderError {
  return new ProviderError(400, { type: 'invalid_request_error', message })
}
