import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isLine } from '#lib/schema.ts'
import type { Answer } from './client.ts'

/** What an operation of the document says of its answers. */
export type Responses = Readonly<
  Record<string, { $ref?: string; content?: Readonly<Record<string, { schema?: object }>> }>
>

/**
 * Looks whether bodies are what a document says of them, as a stranger would who has nothing but the
 * document: says what is wrong with one, or null.
 */
export function contractOf(document: { components?: object }) {
  const ajv = new Ajv2020({ strict: false, inlineRefs: false })
  formats.default(ajv)
  ajv.addFormat('uuid-any', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('binary', true)
  ajv.addFormat('line', isLine)
  ajv.addSchema({ $id: 'document', components: document.components })
  const known = new Map<string, ValidateFunction>()
  const { responses: shared = {} } = (document.components ?? {}) as { responses?: Responses }
  const sharedOf = (reference: string) => shared[reference.split('/').at(-1) ?? ''] ?? {}

  /** Schemas that read the same are compiled once: most refusals are one schema. */
  function validatorOf(schema: object): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    const found = known.get(text) ?? ajv.compile(JSON.parse(text))
    known.set(text, found)
    return found
  }

  return function faultIn(responses: Responses, { status, headers, body }: Answer): string | null {
    const type = headers['content-type']?.split(';')[0] ?? ''
    const named = responses[String(status)] ?? responses.default ?? {}
    const { content } = named.$ref ? sharedOf(named.$ref) : named
    if (!content || type === '') return null
    const schema = content[type]?.schema
    if (!content[type]) return `${type} is not among ${Object.keys(content)}`
    if (!schema || !type.endsWith('json')) return null
    const validate = validatorOf(schema)
    return validate(body) ? null : ajv.errorsText(validate.errors, { dataVar: 'body' })
  }
}
