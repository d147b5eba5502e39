import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifySchemaValidationError } from 'fastify'
import { isId } from '#lib/id.ts'
import { type Detail, Problem } from '#lib/problem.ts'
import type { ProblemLanguage } from '#lib/problem-messages/index.ts'
import { isLine, ProblemSchema } from '#lib/schema.ts'
import { isDay, isInstant } from '#lib/time.ts'
import { validationMessage } from './validation-messages/index.ts'

type Part = 'body' | 'querystring' | 'params' | 'headers'

const strict = once(() => ajvWith({ coerceTypes: false }))
const coercing = once(() => ajvWith({ coerceTypes: 'array' }))

/**
 * Compiles schemas: bodies without conversion, parameters with their text converted. Each is compiled on
 * first use: all of them at once would take half of the time of a start. Services of one process share
 * the compiled schemas.
 */
export function validatorCompiler() {
  return ({ schema, httpPart }: { schema: unknown; httpPart?: string }) => {
    let validate: ValidateFunction | null = null
    return (data: unknown) => {
      validate ??= (httpPart === 'body' ? strict : coercing)().compile(schema as object)
      return validate(data)
        ? { value: data }
        : { error: refusal(validate.errors ?? [], httpPart as Part) }
    }
  }
}

type Compile = ReturnType<ReturnType<typeof SerializerSelector>>
const writers = new WeakMap<object, ReturnType<Compile>>()

/** Serializes responses as Fastify does by default, but compiles each schema on first use. */
export function serializerBuilder(
  ...[schemas, options]: Parameters<ReturnType<typeof SerializerSelector>>
) {
  // Formats are only checked in requests, but the library that serializes unions must know that this one exists.
  const ajv: Options = { formats: { line: true } }
  const compile = SerializerSelector()(schemas, { ...options, ajv })
  return (route: Parameters<Compile>[0]) => {
    let write = writers.get(route.schema as object)
    return (data: unknown) => {
      if (!write) {
        write = compile(route)
        writers.set(route.schema as object, write)
      }
      return write(data)
    }
  }
}

function once<T>(make: () => T): () => T {
  let made: T | null = null
  return () => {
    made ??= make()
    return made
  }
}

function ajvWith(options: Options): Ajv {
  const ajv = new Ajv({
    ...options,
    useDefaults: true,
    allErrors: false,
    removeAdditional: false,
    strict: false,
    allowUnionTypes: true,
  })
  formats.default(ajv)
  // Ids are UUIDv7: another form cannot be one of ours.
  ajv.addFormat('uuid', isId)
  // Ids of other software, such as the job queue.
  ajv.addFormat('uuid-any', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  // PostgreSQL can store neither the year 0 nor a leap second unchanged.
  ajv.addFormat('date', isDay)
  ajv.addFormat('date-time', isInstant)
  ajv.addFormat('line', isLine)
  ajv.addSchema(ProblemSchema)
  return ajv
}

/** A validation failure as the error for the caller. A path parameter that cannot be one of our ids is a 404. */
function refusal(errors: readonly ErrorObject[], part: Part): Problem {
  if (part === 'params') return new Problem(404, 'Not found.')
  return new InvalidRequest(errors)
}

/** A request that does not match its schema. Its message exists in each language. */
class InvalidRequest extends Problem {
  readonly #errors: readonly ErrorObject[]

  constructor(errors: readonly ErrorObject[]) {
    const details = errors.map((error) => detailOf(error, 'en'))
    super(400, sentenceOf(details) ?? 'The request is malformed.', { details })
    this.#errors = errors
  }

  override messageIn(language: ProblemLanguage): string {
    return sentenceOf(this.detailsIn(language)) ?? super.messageIn(language)
  }

  override detailsIn(language: ProblemLanguage): Detail[] {
    return this.#errors.map((error) => detailOf(error, language))
  }
}

/** The first detail, with the name of its field. */
function sentenceOf([first]: readonly Detail[]): string | null {
  return first ? [first.path, first.message].filter(Boolean).join(' ') : null
}

function detailOf(error: ErrorObject, language: ProblemLanguage): Detail {
  const { instancePath, params } = error
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>
  const path = [...instancePath.split('/').slice(1), missingProperty ?? additionalProperty ?? []]
  return { path: path.flat().join('.'), message: validationMessage(error, language) }
}

/** The problem in an error that Fastify reports for a failed validation. */
export function problemOf(error: { validation?: FastifySchemaValidationError[] }): Problem | null {
  return error instanceof Problem ? error : null
}
