import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import Format from 'typebox/format'
import { LOCALES } from './languages.ts'
import type { BasisPoints, Cents } from './money.ts'
import { MAX_QUANTITY, MAX_UNIT_PRICE_CENTS } from './money.ts'
import { PROBLEM_CODES, type ProblemCode } from './problem-codes.ts'
import type { Day, Instant } from './time.ts'

/**
 * A request body: unknown fields are refused, not dropped. A body that several operations share has a
 * title, under which the API document contains it once.
 */
export function Body<P extends TProperties>(properties: P, title?: string): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...(title && { title }) })
}

/**
 * An object of a response with a name of its own: the API document contains it once, as a component. The
 * name is unique in the whole document.
 */
export function Resource<P extends TProperties>(title: string, properties: P): TObject<P> {
  return Type.Object(properties, { title })
}

/** The body of an operation without one: absent, or `{}`. */
export const NoBody = Body({})

/** The value, or null. Responses never omit a key. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type } = schema as { type?: unknown }
  const plain = typeof type === 'string' && !('enum' in schema)
  return Type.Unsafe<Static<T> | null>(
    plain ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] },
  )
}

/** A schema that is used in several places: the API document contains it once, as a component of this name. */
export function Named<T extends TSchema>(title: string, schema: T): T {
  return { ...schema, title }
}

/** One of a few words. */
export function OneOf<const W extends readonly string[]>(words: W, description?: string) {
  return Type.Unsafe<W[number]>({
    type: 'string',
    enum: [...words],
    ...(description && { description }),
  })
}

export const Id = Type.String({ format: 'uuid', description: 'UUIDv7' })
export const Timestamp = Type.Unsafe<Instant>({ type: 'string', format: 'date-time' })
export const DayOn = Type.Unsafe<Day>({ type: 'string', format: 'date' })
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' })
export const Currency = Type.String({
  title: 'Currency',
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217',
})
/** The language in which a person is addressed. */
export const Locale = Named('Locale', OneOf(LOCALES))

/** Texts of one kind by language; missing texts fall back to the language of the shop. */
export function textsByLanguage<T extends TSchema>(title: string, text: T) {
  return Type.Unsafe<Readonly<Record<string, Static<T>>>>({
    ...{ title, type: 'object' },
    properties: Object.fromEntries(LOCALES.map((locale) => [locale, text])),
    additionalProperties: false,
  })
}

/** One line of text that a person enters, such as a name: no control characters, and at least one visible character. */
export function Line(maxLength = 200) {
  return Type.String({ minLength: 1, maxLength, format: 'line' })
}

/** The format of a `Line`. Spaces, zero-width and direction marks, and fillers are invisible. */
export function isLine(text: string): boolean {
  return !/\p{Cc}/u.test(text) && VISIBLE.test(text)
}

const VISIBLE = /[^\s\p{Cf}\p{DI}\u2800]/u

// Typebox checks the settings of gateways, so it has to know the format, too.
Format.Set('line', isLine)

/** Text of several lines that a person enters. */
export function Text(maxLength = 10_000) {
  return Type.String({
    maxLength,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
  })
}

export const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  minLength: 1,
  maxLength: 100,
})

/** An amount in a response: whole cents, may be negative. */
export const Amount = Type.Unsafe<Cents>({ type: 'integer' })

/** A price in a request: whole cents, not negative, at most 1 000 000.00. */
export const Price = Type.Unsafe<Cents>({
  type: 'integer',
  minimum: 0,
  maximum: MAX_UNIT_PRICE_CENTS,
})

/** An amount of money to move: at least one cent. */
export const PositiveAmount = Type.Unsafe<Cents>({
  type: 'integer',
  minimum: 1,
  maximum: MAX_UNIT_PRICE_CENTS,
})

export const Rate = Type.Unsafe<BasisPoints>({ type: 'integer', minimum: 0, maximum: 10_000 })
export const Quantity = Type.Integer({ minimum: 1, maximum: MAX_QUANTITY })

export const IdParams = Type.Object({ id: Id })

/** The response to a DELETE. */
export const Deleted = Resource('Deleted', { id: Type.String(), deleted: Type.Boolean() })

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type PageQuery = Static<typeof PageQuery>

/** A list: `nextCursor` is null on the last page. */
export function Page<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item), nextCursor: Nullable(Type.String()) })
}

/** The query of an administration list: order, and an optional total. */
export const ListQuery = Type.Object({
  ...PageQuery.properties,
  sort: Type.Optional(OneOf(['newest', 'oldest'], 'newest by default')),
  count: Type.Optional(Type.Boolean({ description: 'Whether to return `total`' })),
})
export type ListQuery = Static<typeof ListQuery>

/** A list with an optional total. */
export function CountedPage<T extends TSchema>(item: T) {
  return Type.Object({
    ...Page(item).properties,
    total: Nullable(
      Type.Integer({ description: 'Number of matches, at most 10 000; null without `count`' }),
    ),
  })
}

export const ProblemSchema = Type.Object(
  {
    statusCode: Type.Integer(),
    error: Type.String(),
    message: Type.String({
      description:
        'For people: in the language of `Accept-Language` where it is spoken, else in English.',
    }),
    code: Type.Unsafe<ProblemCode>({
      ...{ type: 'string', enum: Object.keys(PROBLEM_CODES) },
      description: 'What went wrong, for programs. docs/errors.md explains every code.',
    }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          message: Type.String(),
          code: Type.Optional(
            Type.String({ description: 'What is wrong with this field, for programs' }),
          ),
        }),
      ),
    ),
    alternatives: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Slugs of locations that have room',
      }),
    ),
  },
  { $id: 'Problem', description: 'What went wrong, in the shape of every error.' },
)
