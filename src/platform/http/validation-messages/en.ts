import { plural } from '#lib/plural.ts'
import { named, type ValidationMessages } from './wording.ts'

const FORMATS: Readonly<Record<string, string>> = {
  line: 'must be one line of text with visible characters',
  email: 'must be an email address',
  uri: 'must be a URL',
  date: 'must be a date such as 2026-01-31',
  'date-time': 'must be an instant such as 2026-01-31T10:15:00Z',
  uuid: 'must be the id of an object',
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'a string', integer: 'an integer', number: 'a number', boolean: 'true or false' },
  ...{ object: 'an object', array: 'an array', null: 'null' },
}

/** What a value must be, in English, after the name of its field. */
export const en: ValidationMessages = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  enum: ({ allowedValues = [] }) => `must be one of ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  pattern: () => 'has characters or a form that is not allowed',
  format: ({ format = '' }) => FORMATS[format] ?? 'does not have the expected form',
  type: ({ type = [] }) => `must be ${named(type, TYPES, ' or ')}`,
  minLength: ({ limit = 0 }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`,
  maxLength: ({ limit = 0 }) =>
    `must have at most ${limit} ${plural('en', limit, 'character', 'characters')}`,
  minItems: ({ limit = 0 }) =>
    `must have at least ${limit} ${plural('en', limit, 'item', 'items')}`,
  maxItems: ({ limit = 0 }) => `must have at most ${limit} ${plural('en', limit, 'item', 'items')}`,
  uniqueItems: () => 'must not contain an item twice',
  minProperties: ({ limit = 0 }) =>
    `must have at least ${limit} ${plural('en', limit, 'field', 'fields')}`,
  maxProperties: ({ limit = 0 }) =>
    `must have at most ${limit} ${plural('en', limit, 'field', 'fields')}`,
  minimum: ({ limit = 0 }) => `must be at least ${limit}`,
  maximum: ({ limit = 0 }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit = 0 }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit = 0 }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf = 1 }) => `must be a multiple of ${multipleOf}`,
  otherwise: () => 'is not valid',
}
