import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JournalEntry } from '../journal.ts'
import type { Event } from '../store.ts'

type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  'x-stripe-events': Record<string, { object: string }>
}
type Response = { content: { 'application/json': { schema: object } } }

const FILE = new URL('../data/openapi-subset.json', import.meta.url)
const document: Document = JSON.parse(readFileSync(FILE, 'utf8'))
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'api')
const compiled = new Map<string, ValidateFunction>()

function check(pointer: string, value: unknown, what: string): void {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
  compiled.set(pointer, validate)
  const valid = validate(value)
  assert.ok(valid, `${what}: ${ajv.errorsText(validate.errors)}`)
}

/** Faults whose answers are like nothing the provider's API has. */
const UNLIKE = new Set(['no-error-key', 'html-after', 'empty-after'])

/** Fails unless an answer is what its operation promises. */
export function assertConforms({ route, method, path, status, body, fault }: JournalEntry): void {
  if (!route || status === 0 || (fault && UNLIKE.has(fault))) return
  const [, template = ''] = route.split(' ')
  const response = status === 200 ? '200' : 'default'
  const steps = ['paths', template, method.toLowerCase(), 'responses', response]
  const pointer = [...steps, 'content', 'application/json', 'schema'].map(escaped).join('')
  check(pointer, JSON.parse(body), `${method} ${path} answered ${status}`)
}

/** Fails unless an event, and the object in it, are what their type promises. */
export function assertEventConforms(event: Event): void {
  check('/components/schemas/Event', event, event.type)
  const known = document['x-stripe-events'][event.type]
  if (known) check(`/components/schemas/${known.object}`, event.data.object, event.type)
}

function escaped(step: string): string {
  const pointer = step.replaceAll('~', '~0').replaceAll('/', '~1')
  return `/${encodeURIComponent(pointer)}`
}
