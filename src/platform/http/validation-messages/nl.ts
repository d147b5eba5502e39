import { plural } from '#lib/plural.ts'
import { named, type ValidationMessages } from './wording.ts'

const FORMATS: Readonly<Record<string, string>> = {
  line: 'moet één regel tekst met zichtbare tekens zijn',
  email: 'moet een e-mailadres zijn',
  uri: 'moet een URL zijn',
  date: 'moet een datum zijn, zoals 2026-01-31',
  'date-time': 'moet een tijdstip zijn, zoals 2026-01-31T10:15:00Z',
  uuid: 'moet de id van een object zijn',
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'een tekst', integer: 'een geheel getal', number: 'een getal' },
  ...{ boolean: 'true of false', object: 'een object', array: 'een lijst', null: 'null' },
}

/** What a value must be, in Dutch, after the name of its field. */
export const nl: ValidationMessages = {
  required: () => 'is verplicht',
  additionalProperties: () => 'is geen bekend veld',
  enum: ({ allowedValues = [] }) => `moet een van deze waarden zijn: ${allowedValues.join(', ')}`,
  const: ({ allowedValue }) => `moet ${allowedValue} zijn`,
  pattern: () => 'heeft tekens of een vorm die niet zijn toegestaan',
  format: ({ format = '' }) => FORMATS[format] ?? 'heeft niet de verwachte vorm',
  type: ({ type = [] }) => `moet ${named(type, TYPES, ' of ')} zijn`,
  minLength: ({ limit = 0 }) =>
    limit === 1 ? 'mag niet leeg zijn' : `moet minstens ${limit} tekens hebben`,
  maxLength: ({ limit = 0 }) =>
    `mag hoogstens ${limit} ${plural('nl', limit, 'teken', 'tekens')} hebben`,
  minItems: ({ limit = 0 }) =>
    `moet minstens ${limit} ${plural('nl', limit, 'item', 'items')} hebben`,
  maxItems: ({ limit = 0 }) =>
    `mag hoogstens ${limit} ${plural('nl', limit, 'item', 'items')} hebben`,
  uniqueItems: () => 'mag geen item dubbel bevatten',
  minProperties: ({ limit = 0 }) =>
    `moet minstens ${limit} ${plural('nl', limit, 'veld', 'velden')} hebben`,
  maxProperties: ({ limit = 0 }) =>
    `mag hoogstens ${limit} ${plural('nl', limit, 'veld', 'velden')} hebben`,
  minimum: ({ limit = 0 }) => `moet minstens ${limit} zijn`,
  maximum: ({ limit = 0 }) => `mag hoogstens ${limit} zijn`,
  exclusiveMinimum: ({ limit = 0 }) => `moet meer dan ${limit} zijn`,
  exclusiveMaximum: ({ limit = 0 }) => `moet minder dan ${limit} zijn`,
  multipleOf: ({ multipleOf = 1 }) => `moet een veelvoud van ${multipleOf} zijn`,
  otherwise: () => 'is niet geldig',
}
